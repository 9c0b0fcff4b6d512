import {expect, test} from 'vitest';
import {commandList, commandTable} from '#commands/command-table.ts';
import {KeyRouter} from '#commands/key-router.ts';
import {activeContexts, defaultKeymap} from '#commands/keymap.ts';
import {type MessageFixture, messageFixture} from '#test/app/message-actions/message-fixture.ts';
import {waitForState} from '#test/state/session-fixture.ts';
import {fewOrAll} from '#test/support/tier.ts';
import {PermanentFailure} from '#wire/failure.ts';

/** Waits for the calls in flight, and collects those that the server is too old for. */
function watchCalls({session}: Pick<MessageFixture, 'session'>) {
  const {api} = session.context;
  const tooOld: string[] = [];
  const pending = new Set<Promise<unknown>>();
  for (const [name, call] of Object.entries(api)) {
    if (typeof call !== 'function' || name === 'getEvents') continue;
    Reflect.set(api, name, (...args: unknown[]) => {
      const sent: Promise<unknown> = Reflect.apply(call, api, args);
      const ended = sent
        .catch((error: unknown) => {
          if (error instanceof PermanentFailure && error.code === 'SERVER_TOO_OLD') tooOld.push(name);
        })
        .finally(() => pending.delete(ended));
      pending.add(ended);
      return sent;
    });
  }
  const settled = async () => {
    while (pending.size > 0) await Promise.all(pending);
  };
  return {tooOld, settled};
}

/** Meg, who may do everything, with a message of Otto selected, on a server of this level. */
async function oldServer(level: number) {
  const parts = await messageFixture({server: {level, rateLimited: false}});
  const {fixture, session, select} = parts;
  const {server, meg} = fixture;
  await server.as(server.people.owner()).patch(`/users/${meg.id}`, {role: 100});
  await waitForState(session, ({users}) => users.get(meg.id)?.role === 100);
  await select(await fixture.postMessage('/poll Where?\nHarbor'));
  return parts;
}

const router = new KeyRouter(defaultKeymap, commandTable);

test.each(fewOrAll([122], [122, 185, 277, 371]))(
  'old servers: at level %i nothing that is offered is refused',
  async (level) => {
    const parts = await oldServer(level);
    const {app, press, session} = parts;
    const {tooOld, settled} = watchCalls(parts);
    const view = app.screen;
    const refused: string[] = [];
    let runCount = 0;
    for (const {id, contexts, disabledReason, run} of commandList) {
      app.update(() => ({...view, overlays: []}));
      if (!contexts.some((context) => activeContexts(app.screen).includes(context))) continue;
      if (disabledReason?.(app) !== undefined) continue;
      runCount++;
      run(app, undefined, router);
      // The first entry of what opened.
      if (app.screen.overlays.length > 0) press('Enter', 'y');
      await settled();
      await session.pendingChanges.idle();
      for (const endpoint of tooOld.splice(0)) refused.push(`${id}: ${endpoint}`);
    }
    expect(runCount).toBeGreaterThan(80);
    expect(refused).toEqual([]);
  },
);
