import {type ApiContext, withApi} from '#cli/account-access/with-api.ts';
import {withSessionContext} from '#cli/account-access/with-session-context.ts';
import {type StateContext, type StateNeeds, withState} from '#cli/account-access/with-state.ts';
import type {CliIo} from '#cli/io.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {commonOptions} from './verb.ts';
import {printResult, type VerbResult, type VerbRunner} from './verb-runner.ts';
import type {VerbArguments, VerbName, verbTable} from './verb-table.ts';

/** The verbs that use an account. */
type AccountVerbName = {
  [N in VerbName]: (typeof verbTable)[N]['options'] extends typeof commonOptions ? N : never;
}[VerbName];

type Prepare<N extends VerbName, P> = (verbArguments: VerbArguments<N>, io: CliIo) => P | Promise<P>;
type Body<C, N extends VerbName, P> = (context: C & VerbArguments<N>, prepared: P) => Promise<VerbResult>;

/** Returns a verb that calls the API of the account's server and prints the result of the body. */
export function apiVerb<N extends AccountVerbName>(body: Body<ApiContext, N, undefined>): VerbRunner<N> {
  return (verbArguments, io, signal) =>
    withApi(verbArguments.values, io, signal, async (context) =>
      printResult(io, verbArguments.values, await body({...context, ...verbArguments}, undefined)),
    );
}

/**
 * Returns a verb that fetches a part of the server's state and prints the result of the body. `prepare` runs before anything
 * is requested: it checks the arguments, and says what the verb needs.
 */
export function stateVerb<N extends AccountVerbName, P extends StateNeeds>(
  prepare: Prepare<N, P>,
  body: Body<StateContext, N, P>,
): VerbRunner<N> {
  return async (verbArguments, io, signal) => {
    const prepared = await prepare(verbArguments, io);
    return withState(verbArguments.values, io, signal, prepared, async (context) =>
      printResult(io, verbArguments.values, await body({...context, ...verbArguments}, prepared)),
    );
  };
}

/** Returns a verb like `stateVerb`, with a session context for the actions of `state/`. */
export function sessionVerb<N extends AccountVerbName, P extends StateNeeds>(
  prepare: Prepare<N, P>,
  body: Body<StateContext & {readonly session: SessionContext}, N, P>,
): VerbRunner<N> {
  return stateVerb(prepare, (context, prepared) =>
    withSessionContext(context, (session) => body({...context, session}, prepared)),
  );
}
