import type {ReversibleAction} from '#state/actions/reversible-actions.ts';
import type {Conversation, ConversationKey, TopicConversation} from '#state/model/conversation.ts';
import type {Snooze} from '#ui/inbox/snooze/snooze.ts';
import type {PropagateMode} from '#wire/objects/message.ts';

/** One step that undoes a part of an action, or redoes it. The kinds are the names on disk. */
export type UndoStep =
  | {
      readonly kind: 'change';
      readonly inverse: ReversibleAction;
      /** A message of the topic that the step changes. The topic is wherever this message is, also after a rename. */
      readonly near?: number | undefined;
    }
  /** A snooze to restore: the snoozes of `keys` become `before`; a key without one there was not snoozed. */
  | {
      readonly kind: 'snooze';
      readonly keys: readonly ConversationKey[];
      readonly before: readonly Snooze[];
      /** The time of the snooze: what was snoozed since then is restored also under a new name. */
      readonly since?: number | undefined;
    }
  | RequestStep;

/** A step that a request carries out: shown only once the server confirms it. It is the only step of its record. */
export type RequestStep =
  /** A sent message, by its id in the outbox: it becomes a draft again, or is deleted once it is delivered. */
  | {readonly kind: 'sent'; readonly id: string}
  /** A message that was to be sent, and is a draft again or was deleted: a redo sends it. */
  | {
      readonly kind: 'send';
      readonly conversation: Conversation;
      readonly content: string;
      /** The draft, which must still have this text. */
      readonly draftId?: string | undefined;
    }
  /** An edit: the message gets the text `before` again, if it still has the text `after`. */
  | {readonly kind: 'edit'; readonly messageId: number; readonly before: string; readonly after: string}
  | MoveStep
  | WidgetStep;

/** A vote for an option of a poll, or a tick of a task: it becomes what it was. */
export interface WidgetStep {
  readonly kind: 'widget';
  readonly messageId: number;
  readonly widget: 'poll' | 'todo';
  /** The key of the option or task. */
  readonly key: string;
  readonly wasOn: boolean;
}

/** A move or a change between resolved and unresolved: the messages go back from `to` to `from`. */
export interface MoveStep {
  readonly kind: 'move';
  readonly from: TopicConversation;
  readonly to: TopicConversation;
  readonly messageId: number;
  readonly mode: PropagateMode;
  /** The messages to move back one by one, because others are in the topic, too; empty to move the whole topic back. */
  readonly merged: readonly number[];
}

/** Plain data that says how to undo an action, or to redo it. */
export interface UndoRecord {
  readonly label: string;
  /** The text shown after undo, where it is not just the label. */
  readonly said?: string | undefined;
  /** What a redo does, where it is less than the label says. */
  readonly redoLabel?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The conversations that were changed, if any: undo moves the cursor there. */
  readonly keys: readonly ConversationKey[];
  /** A message of each of `keys`. The conversation is wherever this message is, also after a rename. */
  readonly near?: readonly number[] | undefined;
  /** The row under the cursor. */
  readonly from?: string | undefined;
  /** Where it happened, for the user, if the label does not say so: `#kitchen › soup`. */
  readonly place?: string | undefined;
  /** Without steps it can be undone only by the function that this program run has, or not at all. */
  readonly steps: readonly UndoStep[];
  /** The reason why the action cannot be undone: undo shows it and goes no further. */
  readonly problem?: string | undefined;
  /** It only happened, such as that messages were read by opening them: the history offers it, the undo key skips it. */
  readonly isPassive?: boolean | undefined;
}
