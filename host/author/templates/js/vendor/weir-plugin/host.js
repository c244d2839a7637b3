// What a policy may ask of Weir: what `weir.toml` asks for, and no more. `weir build` connects it; a test puts something else in
// its place. There is no clock and no random number: both are fixed when the component is built.

export const host = {
  /** Writes a line to the audit log: 'debug', 'info', 'warn' or 'error'. Needs `asks = ["log"]`. */
  log(message, level = 'info') {
    host.imports.log?.write(level, message);
  },

  /** The text or JSON of an event that this policy was shown, or undefined. Needs `asks = ["transcript"]`. */
  text(event) {
    return transcript().text(event);
  },

  /**
   * Events that this policy was shown and whose text contains this one, letter for letter: the oldest, at most so many. Needs
   * `asks = ["transcript"]`.
   */
  find(text, limit) {
    return [...transcript().find(text, limit)];
  },

  /** The contract's interfaces that the component imports, by name: `host.imports.model.complete(request)` asks a model. */
  imports: {},
};

function transcript() {
  if (host.imports.transcript === undefined) throw new Error('weir.toml does not ask for "transcript"');
  return host.imports.transcript;
}
