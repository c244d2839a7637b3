/** The trace viewer and the diff of two traces. */
import "./trace.css";

export { DiffView, type DiffProps } from "./Diff";
export { TraceView, type TraceProps } from "./View";
