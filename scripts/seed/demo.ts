import { seedBills } from "./bills";
import { seedCatalogue, storePicture } from "./catalogue";
import { ANSWERER_PICTURE, seedChats } from "./chat";
import { seedLedger } from "./ledger";
import { seedPeople } from "./people";
import { seedSales } from "./sales";

/**
 * Fills an empty shop with reproducible demo data; a shop that has users is left unchanged.
 *
 * @param env local bindings
 * @param dataDir folder with catalogue.json and pictures/
 */
export async function seedDemo(env: Env, dataDir: string): Promise<void> {
  const known = await env.DB.prepare("SELECT 1 FROM users LIMIT 1").first();
  if (known) return;
  console.log("Filling the shop with the demo …");
  await seedCatalogue(env, dataDir);
  await seedPeople(env);
  await storePicture(env, dataDir, ANSWERER_PICTURE);
  await seedChats(env);
  await seedLedger(env);
  await seedBills(env);
  await seedSales(env);
}
