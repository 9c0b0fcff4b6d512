import {
  type ApiContext,
  type StateContext,
  type StateNeeds,
  withApi,
  withSessionContext,
  withState,
} from '#cli/account-access/with-state.ts';
import {type CliIo, printNotice} from '#cli/io.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {commonOptions} from './verb.ts';
import {
  printResult,
  type VerbArguments,
  type VerbName,
  type VerbOutcome,
  type VerbRunner,
  type verbTable,
} from './verb-table.ts';

/** The verbs that use an account. */
type AccountVerbName = {
  [N in VerbName]: (typeof verbTable)[N]['options'] extends typeof commonOptions ? N : never;
}[VerbName];

type Prepare<N extends VerbName, P> = StateNeeds | ((verbArguments: VerbArguments<N>, io: CliIo) => P | Promise<P>);
type Body<C, N extends VerbName, P> = (context: C & VerbArguments<N>, prepared: P) => Promise<VerbOutcome>;

/** Returns a verb that calls the API of the account's server and prints the result of the body. */
export function apiVerb<N extends AccountVerbName>(body: Body<ApiContext, N, undefined>): VerbRunner<N> {
  return (verbArguments, io, signal) =>
    withApi(verbArguments.values, io, signal, async (context) =>
      printResult(io, verbArguments.values, await body({...context, ...verbArguments}, undefined)),
    );
}

/**
 * Returns a verb that fetches a part of the server's state and prints the result of the body. `prepare` says what the verb
 * needs; as a function, it also checks the arguments before anything is requested.
 */
export function stateVerb<N extends AccountVerbName, P extends StateNeeds = StateNeeds>(
  prepare: Prepare<N, P>,
  body: Body<StateContext, N, P>,
): VerbRunner<N> {
  return async (verbArguments, io, signal) => {
    // Constant needs have the type that the body expects by default.
    const prepared = typeof prepare === 'function' ? await prepare(verbArguments, io) : (prepare as P);
    return withState(verbArguments.values, io, signal, prepared, async (context) =>
      printResult(io, verbArguments.values, await body({...context, ...verbArguments}, prepared)),
    );
  };
}

/** Returns a verb like `stateVerb`, with a session context for the actions of `state/`. */
export function sessionVerb<N extends AccountVerbName, P extends StateNeeds = StateNeeds>(
  prepare: Prepare<N, P>,
  body: Body<StateContext & {readonly session: SessionContext}, N, P>,
): VerbRunner<N> {
  return stateVerb(prepare, (context, prepared) =>
    withSessionContext(context, (session) => body({...context, session}, prepared)),
  );
}

/** Makes the same change for each item, in order. After a failure, it prints what `partlyText` says about those done. */
export async function changeEach<T>(
  io: CliIo,
  items: readonly T[],
  change: (item: T) => Promise<unknown>,
  partlyText: (done: readonly T[]) => string,
): Promise<void> {
  let done = 0;
  try {
    for (const item of items) {
      await change(item);
      done += 1;
    }
  } catch (error) {
    if (done > 0) printNotice(io, partlyText(items.slice(0, done)));
    throw error;
  }
}

/** Returns the text about records of which only some were changed. */
export function partly<T>(all: readonly T[], was: string): (done: readonly T[]) => string {
  return (done) => `${done.length} of ${all.length} were ${was} before this failure:`;
}
