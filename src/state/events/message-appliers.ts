import {logged} from '#state/messages/event-log.ts';
import type {AccountState} from '#state/state.ts';
import type {Appliers} from '#state/state-event.ts';
import type {ServerEvent} from '#wire/events.ts';
import {applyDeleteMessage} from './delete-message.ts';
import {applyMessage} from './message.ts';
import {applyReaction} from './reaction.ts';
import {applySubmessage} from './submessage.ts';
import {applyTyping, applyTypingEditMessage} from './typing.ts';
import {applyUpdateMessage} from './update-message.ts';
import {applyUpdateMessageFlags} from './update-message-flags.ts';

/** Answers in the air have to be brought up to date with these, so they are kept until the answers are here. */
function noted<E extends ServerEvent>(apply: (state: AccountState, event: E) => AccountState) {
  return (state: AccountState, event: E): AccountState => {
    const after = apply(state, event);
    const log = logged(after.log, event);
    return log === after.log ? after : {...after, log};
  };
}

export const messageAppliers = {
  message: noted(applyMessage),
  update_message: noted(applyUpdateMessage),
  delete_message: noted(applyDeleteMessage),
  update_message_flags: noted(applyUpdateMessageFlags),
  reaction: noted(applyReaction),
  submessage: noted(applySubmessage),
  typing: applyTyping,
  typing_edit_message: applyTypingEditMessage,
} satisfies Partial<Appliers>;
