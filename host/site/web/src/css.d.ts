/** Style sheets are bundled into app.css. */
declare module "*.css";
