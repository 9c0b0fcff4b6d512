import type {Completion} from '#app/completion/completion.ts';
import type {Recall} from '#app/text/sent-history.ts';
import {emptyField, type TextField} from '#app/text/text-field.ts';
import type {Warning} from '#app/warnings/send-warnings.ts';
import type {Conversation} from '#state/model/conversation.ts';
import type {DraftTarget} from '#state/model/draft.ts';
import type {Recipients} from './recipients.ts';

/** Which part of the composer has the keys. */
export type ComposerPlace = 'to' | 'topic' | 'text' | 'send';

/** Another version of a message that is being written. */
export interface Editing {
  readonly messageId: number;
  /** The source that was there when it was begun. */
  readonly before: string;
}

export interface CompletionMenu {
  readonly completion: Completion;
  /** Undefined: nothing is chosen until somebody moves. */
  readonly index: number | undefined;
}

/** A question about what was just put in; any other key than those it names is an answer too, and goes on writing. */
export type ComposerOffer =
  | {readonly kind: 'paste'; readonly start: number; readonly text: string; readonly lines: number}
  | {
      readonly kind: 'files';
      readonly start: number;
      readonly text: string;
      readonly paths: readonly string[];
    };

export interface UploadProgress {
  readonly name: string;
  readonly percent: number;
}

/** A message that leaves in a moment, unless somebody takes it back. */
export interface PendingSend {
  readonly conversation: Conversation;
  readonly content: string;
  readonly seconds: number;
  /** Where it is kept until then. */
  readonly draftId: string | undefined;
  /** Stops the clock. */
  readonly cancel: () => void;
}

/** A message of the conversation that is written to. */
export interface Anchor {
  readonly messageId: number;
  /** It is the one that is answered: where it goes, the answer belongs. Another goes with the whole conversation only. */
  readonly isAnswered: boolean;
}

/** What decides about Enter, besides the account. */
export interface SendKeys {
  /** Undefined: as the account says. */
  readonly enterSends: boolean | undefined;
  readonly tellsShiftEnter: boolean;
}

/** What is being written, and for whom. */
export interface ComposerState {
  /** Somebody writes, or looks up from writing. Closed, it shows what was begun in the conversation above it. */
  readonly isOpen: boolean;
  readonly target: DraftTarget;
  readonly field: TextField;
  /** The draft in which it is kept. */
  readonly draftId: string | undefined;
  readonly editing: Editing | undefined;
  readonly place: ComposerPlace;
  /** The destination as text, while somebody changes it. */
  readonly recipients: Recipients | undefined;
  readonly menu: CompletionMenu | undefined;
  /** Where the menu was closed by hand: what begins there is not completed again. */
  readonly menuClosedAt: number | undefined;
  /** What was said before sending. Asking again for the same text sends, unless something stops it. */
  readonly warnings: readonly Warning[];
  readonly offer: ComposerOffer | undefined;
  readonly isPreviewed: boolean;
  readonly recall: Recall<TextField> | undefined;
  readonly anchor: Anchor | undefined;
  /** Rows of the text above the first one shown. */
  readonly top: number;
  /** Once, with the next message that is sent from here. */
  readonly onSent: (() => void) | undefined;
  readonly sendKeys: SendKeys;
  readonly upload: UploadProgress | undefined;
  readonly pending: PendingSend | undefined;
}

export const closedComposer: ComposerState = {
  isOpen: false,
  target: {kind: 'none', topic: ''},
  field: emptyField,
  draftId: undefined,
  editing: undefined,
  place: 'text',
  recipients: undefined,
  menu: undefined,
  menuClosedAt: undefined,
  warnings: [],
  offer: undefined,
  isPreviewed: false,
  recall: undefined,
  anchor: undefined,
  top: 0,
  onSent: undefined,
  sendKeys: {enterSends: undefined, tellsShiftEnter: false},
  upload: undefined,
  pending: undefined,
};

/** The same composer with nothing in it: what was cut, and what is under way, stays. */
export function emptied(composer: ComposerState, target: DraftTarget = composer.target): ComposerState {
  const {field, sendKeys, upload, pending} = composer;
  return {
    ...closedComposer,
    target,
    field: {...emptyField, kills: field.kills},
    sendKeys,
    upload,
    pending,
  };
}

/** What the keys change: the text, or a part of the destination. */
export function activeField({place, recipients, field}: ComposerState): TextField {
  if (recipients === undefined || place === 'text' || place === 'send') return field;
  return place === 'to' ? recipients.to : recipients.topic;
}
