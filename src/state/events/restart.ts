import {keepIfEqual, withSlices} from '#state/immutable-updates.ts';
import type {AccountState} from '#state/state.ts';
import type {RestartEvent} from '#wire/events/restart.ts';
import {serverVersion} from '#wire/objects/version.ts';

/**
 * The level stays what it was at the registration that all of this came from: whoever polls compares the two, and
 * registers again when they differ.
 */
export function applyRestart(state: AccountState, event: RestartEvent): AccountState {
  const server = {
    ...state.server,
    version: serverVersion(event) ?? state.server.version,
    serverGeneration: event.server_generation ?? state.server.serverGeneration,
  };
  return withSlices(state, {server: keepIfEqual(state.server, server)});
}
