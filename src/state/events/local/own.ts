import {withSlices} from '#state/immutable-updates.ts';
import type {
  ConnectionChanged,
  LocalDraftsChanged,
  OutboxChanged,
  StateReplaced,
  TypingExpired,
} from '#state/local-events.ts';
import {withoutExpired} from '#state/messages/typing-users.ts';
import type {AccountState} from '#state/state.ts';

/** Requests in the air land yet, so the log stays; whether their answers still mean anything is theirs to know. */
export function applyStateReplaced(before: AccountState, {state}: StateReplaced): AccountState {
  const {outbox, localDrafts, connection, log} = before;
  return {...state, outbox, localDrafts, connection, log};
}

export function applyOutboxChanged(state: AccountState, {outbox}: OutboxChanged): AccountState {
  return withSlices(state, {outbox});
}

export function applyLocalDraftsChanged(
  state: AccountState,
  {localDrafts}: LocalDraftsChanged,
): AccountState {
  return withSlices(state, {localDrafts});
}

export function applyConnectionChanged(state: AccountState, {connection}: ConnectionChanged): AccountState {
  return withSlices(state, {connection});
}

export function applyTypingExpired(state: AccountState, {now}: TypingExpired): AccountState {
  return withSlices(state, {typing: withoutExpired(state.typing, now)});
}
