/** SQL of all migrations, from bundle.mjs. */
declare module "simulation:migrations" {
  const migrations: string;
  export default migrations;
}
