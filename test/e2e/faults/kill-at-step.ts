import type {Api} from '#api/api.ts';
import type {AccountStore} from '#state/account-store.ts';
import type {ClientDependencies} from './headless-client.ts';

/** Methods that change nothing on disk, before which killing makes no difference. */
const readOnlyMethods: ReadonlySet<string> = new Set(['all', 'get']);
/** Requests that change something, or on which a change depends. */
const requests: readonly (keyof Api)[] = [
  'sendMessage',
  'getMessages',
  'getDrafts',
  'createDrafts',
  'editDraft',
  'deleteDraft',
];

type AnyFunction = (...args: unknown[]) => unknown;

/**
 * Kills this process with SIGKILL at one of its steps: there is one before each change on disk, one before
 * each request and one at its response.
 */
export function killAtStep(outside: ClientDependencies, dieAt: number): ClientDependencies {
  let moments = 0;
  const moment = () => {
    if (++moments === dieAt) process.kill(process.pid, 'SIGKILL');
  };
  const onDisk = (call: AnyFunction, name: string): AnyFunction =>
    readOnlyMethods.has(name)
      ? call
      : (...args) => {
          moment();
          return call(...args);
        };
  const overNetwork =
    (call: AnyFunction): AnyFunction =>
    async (...args) => {
      moment();
      const response = await call(...args);
      moment();
      return response;
    };
  const {outbox, drafts, keyValues, pendingChanges} = outside.store;
  const store: AccountStore = {
    ...outside.store,
    outbox: wrapped(outbox, onDisk),
    drafts: wrapped(drafts, onDisk),
    keyValues: wrapped(keyValues, onDisk),
    pendingChanges: wrapped(pendingChanges, onDisk),
  };
  const isCounted = (name: string) => requests.some((counted) => counted === name);
  return {store, api: wrapped(outside.api, (call, name) => (isCounted(name) ? overNetwork(call) : call))};
}

function wrapped<T extends object>(object: T, wrap: (call: AnyFunction, name: string) => AnyFunction): T {
  const entries = Object.entries(object).map(([name, value]) => [
    name,
    typeof value === 'function' ? wrap(value, name) : value,
  ]);
  return Object.fromEntries(entries);
}
