/** What an entry's files say: commands, coverage, fuel, attestations, submission, manifest. */
import type { Attestation, EntryPage } from "../data";
import { count, short } from "../format";
import { Copy } from "../parts/Copy";
import { JsonTree } from "../parts/JsonTree";
import { Notes } from "../parts/Notes";

export function Details({ page, stage }: { page: EntryPage; stage: (id: string) => string }) {
  return (
    <>
      <Notes notes={page.notes} />
      <h2>Check it yourself</h2>
      <p>Every decision in its traces is executed again from the recorded inputs, without a model, and compared byte by byte.</p>
      {page.verify.map((command) => (
        <div class="command" key={command}><pre tabIndex={0}><code>{command}</code></pre><Copy text={command} what="command" /></div>
      ))}
      {page.coverage.length > 0 && <Coverage page={page} stage={stage} />}
      {page.hooks.length > 0 && (
        <>
          <h2>What its decisions cost</h2>
          <p>Fuel is wasm instructions: the same on every machine.</p>
          <div class="scroll" tabIndex={0} role="region" aria-label="Fuel by hook">
            <table>
              <thead><tr><th scope="col">Hook</th><th scope="col" class="n">Decisions</th><th scope="col" class="n">Median</th><th scope="col" class="n">p95</th><th scope="col" class="n">Most</th></tr></thead>
              <tbody>
                {page.hooks.map((row) => (
                  <tr key={row.hook}><th scope="row">{row.hook}</th><td class="n">{count(row.decisions)}</td><td class="n">{short(row.median)}</td><td class="n">{short(row.p95)}</td><td class="n">{short(row.max)}</td></tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
      <h2>Attestations</h2>
      {page.attestations.length === 0 ? <p>Nobody has signed anything about this entry.</p> : page.attestations.map((one, index) => <Signed key={index} attestation={one} />)}
      {page.submission !== null && <><h2>Submission</h2><JsonTree value={page.submission} open /></>}
      <h2>Manifest</h2>
      <p>What the run was made of, with the digest of each part.</p>
      <JsonTree value={page.manifest} />
    </>
  );
}

function Coverage({ page, stage }: { page: EntryPage; stage: (id: string) => string }) {
  return (
    <>
      <h2>Coverage</h2>
      <div class="scroll" tabIndex={0} role="region" aria-label="Coverage by stage">
        <table>
          <thead><tr><th scope="col">Stage</th><th scope="col" class="n">Planned</th><th scope="col" class="n">Done</th><th scope="col" class="n">With a fault</th><th scope="col" class="n">With an invalid action</th></tr></thead>
          <tbody>
            {page.coverage.map((row) => (
              <tr key={row.stage}>
                <th scope="row">{stage(row.stage)}</th>
                <td class="n">{count(row.planned)}</td>
                <td class={`n ${row.done < row.planned ? "bad" : ""}`}>{count(row.done)}</td>
                <td class={`n ${row.faulted ? "bad" : ""}`}>{count(row.faulted)}</td>
                <td class="n">{count(row.invalid)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Signed({ attestation }: { attestation: Attestation }) {
  return (
    <div class="attestation">
      <p>
        <b>{attestation.signer ?? "a key that this leaderboard does not know"}</b> signed a statement of the type <code>{attestation.predicateType}</code>
        {" "}with the key <code>{attestation.key}</code>, over:
      </p>
      <ul>{attestation.subjects.map(({ name, sha256 }) => <li key={`${name}${sha256}`}>{name} <code>{sha256}</code></li>)}</ul>
      <details><summary>Statement</summary><JsonTree value={attestation.statement} open /></details>
    </div>
  );
}
