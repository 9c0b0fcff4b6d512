import type {AccountStore} from '#state/account-store.ts';
import {Cache} from '#state/cache.ts';
import type {SessionContext} from '#state/session-context.ts';
import {openStore} from './open-store.ts';
import type {StateContext} from './with-state.ts';

/**
 * Lets the parts of a session work for one verb, without a session: no queue is listened to, nobody is told that the user is
 * there. The store is opened when it is first used. Everything ends with the body.
 */
export async function withSessionContext<T>(
  world: StateContext,
  body: (context: SessionContext) => Promise<T>,
): Promise<T> {
  const {api, io, account, state} = world;
  const ending = new AbortController();
  const end = () => ending.abort(world.signal.reason);
  world.signal.addEventListener('abort', end, {once: true});
  if (world.signal.aborted) end();
  let opened: AccountStore | undefined;
  try {
    return await body({
      api,
      cache: new Cache({...state, connection: {phase: 'online'}}),
      get store() {
        opened ??= openStore(account, io);
        return opened;
      },
      clock: io.clock,
      random: io.random,
      log: () => {},
      queueId: () => undefined,
      signal: ending.signal,
      isExploring: true,
    });
  } finally {
    world.signal.removeEventListener('abort', end);
    ending.abort(new Error('The verb has ended'));
    opened?.close();
  }
}
