import type {AccountStore} from '#state/account-store.ts';
import {Cache} from '#state/cache.ts';
import type {SessionContext} from '#state/session-context.ts';
import {openStore} from './open-store.ts';
import type {StateContext} from './with-state.ts';

/**
 * Runs a verb with a session context but without a session: no event queue and no presence. The store is
 * opened on first use. Everything is closed when the body ends.
 */
export async function withSessionContext<T>(
  verbContext: StateContext,
  body: (context: SessionContext) => Promise<T>,
): Promise<T> {
  const {api, io, account, state} = verbContext;
  const controller = new AbortController();
  const end = () => controller.abort(verbContext.signal.reason);
  verbContext.signal.addEventListener('abort', end, {once: true});
  if (verbContext.signal.aborted) end();
  let openedStore: AccountStore | undefined;
  try {
    return await body({
      api,
      cache: new Cache({...state, connection: {phase: 'online'}}),
      get store() {
        openedStore ??= openStore(account, io);
        return openedStore;
      },
      clock: io.clock,
      random: io.random,
      log: () => {},
      queueId: () => undefined,
      signal: controller.signal,
      isExploring: true,
    });
  } finally {
    verbContext.signal.removeEventListener('abort', end);
    controller.abort(new Error('The verb has ended'));
    openedStore?.close();
  }
}
