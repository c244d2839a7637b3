// A defence of privileges: what an agent may do is said by rules, and what no rule allows it may not.

import { Policy, allow, block, host, Ledger } from '../vendor/weir-plugin/index.js';
import { decide, parse } from './rules.js';

// A rule that cannot be read is an error when the component is built: this is run then.
const RULES = parse(`
  no_secret:      forbid *              if secret
  no_publication: forbid *              if any visibility tainted
  no_stranger:    forbid update_contact if any target tainted
  as_asked:       allow  *              if authorised
`);

export default class Guard extends Policy {
  constructor(episode) {
    super(episode);
    this.ledger = new Ledger(episode);
  }

  authorize(proposal) {
    const rule = decide(RULES, this.episode, proposal);
    if (rule?.effect === 'allow') return allow(`allow_${rule.name}`, 'a rule allows it');
    const highRisk = this.ledger.isHighRisk(proposal);
    if (rule?.effect === 'forbid' && highRisk) {
      host.log(`call ${proposal.callId} forbidden by ${rule.name}`);
      return block(`block_${rule.name}`, `the rule ${rule.name} forbids it`);
    }
    if (highRisk) return block('block_by_default', 'no rule allows it');
    return allow('allow_low_risk', 'no side effect');
  }
}
