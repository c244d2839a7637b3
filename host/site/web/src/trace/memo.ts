/** A component that renders again only when one of its properties changes. */
import { Component, type ComponentChild, type FunctionComponent } from "preact";

export function memo<P extends object>(render: (props: P) => ComponentChild): FunctionComponent<P> {
  class Memo extends Component<P> {
    override shouldComponentUpdate(next: P) {
      const keys = Object.keys(next) as (keyof P)[];
      return keys.some((key) => next[key] !== this.props[key]);
    }
    override render() {
      return render(this.props);
    }
  }
  return Memo as unknown as FunctionComponent<P>;
}
