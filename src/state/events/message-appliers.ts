import {withLoggedEvent} from '#state/messages/event-log.ts';
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
function withEventLogged<E extends ServerEvent>(apply: (state: AccountState, event: E) => AccountState) {
  return (state: AccountState, event: E): AccountState => {
    const after = apply(state, event);
    const log = withLoggedEvent(after.log, event);
    return log === after.log ? after : {...after, log};
  };
}

export const messageAppliers = {
  message: withEventLogged(applyMessage),
  update_message: withEventLogged(applyUpdateMessage),
  delete_message: withEventLogged(applyDeleteMessage),
  update_message_flags: withEventLogged(applyUpdateMessageFlags),
  reaction: withEventLogged(applyReaction),
  submessage: withEventLogged(applySubmessage),
  typing: applyTyping,
  typing_edit_message: applyTypingEditMessage,
} satisfies Partial<Appliers>;
