/** Entry point: mounts the site into its page. */
import { render } from "preact";
import { Shell } from "./shell/Shell";
import "./style/index.css";

const root = document.getElementById("app");
if (root) render(<Shell />, root);
