import type {ServerContext} from '#server/context.ts';
import {seedEmptyWorld} from './empty.ts';

export interface WorldChoice {
  readonly world: 'demo' | 'empty';
  readonly size: 'small' | 'large' | 'huge';
}

/** The data directory already holds something else than what was asked for. */
export class WorldMismatchError extends Error {
  override readonly name = 'OtherWorld';
}

/**
 * Fills a new database with the wanted world. One that is filled already is left as it is: it has been lived in. Each
 * planter says which world it was in the transaction that plants it, so that a kill leaves all of it or nothing.
 */
export async function seedWorld(
  world: ServerContext,
  plan: WorldChoice,
  say: (line: string) => void,
): Promise<void> {
  const wanted = plan.world === 'demo' ? `demo-${plan.size}` : plan.world;
  const present = world.db.value<string>(`SELECT value FROM meta WHERE key = 'world'`);
  if (present === wanted) return;
  if (present !== undefined) {
    throw new WorldMismatchError(
      `That directory holds the world “${present}”, not “${wanted}”. Choose another --data directory.`,
    );
  }
  await seedChosenWorld(world, plan, say);
  world.derivedFacts.invalidateAll();
}

async function seedChosenWorld(
  world: ServerContext,
  plan: WorldChoice,
  say: (line: string) => void,
): Promise<void> {
  if (plan.world === 'empty') {
    seedEmptyWorld(world);
    return;
  }
  if (plan.size === 'small') {
    const {seedDemoWorld: plantDemo} = await import('./demo-world.ts');
    await plantDemo(world);
    return;
  }
  const {seedGeneratedWorld: plantGenerated} = await import('./generated-world.ts');
  plantGenerated(world, plan.size, say);
}
