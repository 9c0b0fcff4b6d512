import type {World} from '#server/context.ts';
import {plantEmpty} from './empty.ts';

export interface Plan {
  readonly world: 'demo' | 'empty';
  readonly size: 'small' | 'large' | 'huge';
}

/** The data directory already holds something else than what was asked for. */
export class OtherWorld extends Error {
  override readonly name = 'OtherWorld';
}

/**
 * Fills a new database with the wanted world. One that is filled already is left as it is: it has been lived in. Each
 * planter says which world it was in the transaction that plants it, so that a kill leaves all of it or nothing.
 */
export async function plantWorld(world: World, plan: Plan, say: (line: string) => void): Promise<void> {
  const wanted = plan.world === 'demo' ? `demo-${plan.size}` : plan.world;
  const present = world.db.value<string>(`SELECT value FROM meta WHERE key = 'world'`);
  if (present === wanted) return;
  if (present !== undefined) {
    throw new OtherWorld(
      `That directory holds the world “${present}”, not “${wanted}”. Choose another --data directory.`,
    );
  }
  await plant(world, plan, say);
  world.memory.forgetAll();
}

async function plant(world: World, plan: Plan, say: (line: string) => void): Promise<void> {
  if (plan.world === 'empty') {
    plantEmpty(world);
    return;
  }
  if (plan.size === 'small') {
    const {plantDemo} = await import('./demo-world.ts');
    await plantDemo(world);
    return;
  }
  const {plantGenerated} = await import('./generated-world.ts');
  plantGenerated(world, plan.size, say);
}
