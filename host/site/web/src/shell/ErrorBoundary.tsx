/** A view that fails says so in its place; the rest of the page stays. */
import { Component, type ComponentChildren } from "preact";

export class ErrorBoundary extends Component<{ children: ComponentChildren }, { failed: string | null }> {
  override state = { failed: null as string | null };

  static override getDerivedStateFromError(error: unknown) {
    return { failed: error instanceof Error ? error.message : String(error) };
  }

  override componentDidCatch(error: unknown) {
    console.error(error);
  }

  override render() {
    if (this.state.failed === null) return this.props.children;
    return (
      <div class="failed" role="alert">
        <p><strong>This view could not be shown.</strong></p>
        <p>{this.state.failed}. The data may have been written by another version of Weir than this page.</p>
      </div>
    );
  }
}
