import type {Completion} from '#app/completion/completion.ts';
import type {Recall} from '#app/text/sent-history.ts';
import {emptyField, type TextField} from '#app/text/text-field.ts';
import type {Warning} from '#app/warnings/send-warnings.ts';
import type {Conversation} from '#state/model/conversation.ts';
import type {DraftTarget} from '#state/model/draft.ts';
import type {Recipients} from './recipients.ts';

/** Which part of the composer has the keys. */
export type ComposerField = 'to' | 'topic' | 'text' | 'send';

/** Another version of a message that is being written. */
export interface MessageEdit {
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
export type PastePrompt =
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
export interface DelayedSend {
  readonly conversation: Conversation;
  readonly content: string;
  readonly seconds: number;
  /** Where it is kept until then. */
  readonly draftId: string | undefined;
  /** Stops the clock. */
  readonly cancel: () => void;
}

/** A message of the conversation that is written to. */
export interface ComposerAnchor {
  readonly messageId: number;
  /** It is the one that is answered: where it goes, the answer belongs. Another goes with the whole conversation only. */
  readonly isRepliedTo: boolean;
}

/** What decides about Enter, besides the account. */
export interface EnterOptions {
  /** Undefined: as the account says. */
  readonly enterSends: boolean | undefined;
  readonly reportsShiftEnter: boolean;
}

/** What is being written, and for whom. */
export interface ComposerState {
  /** Somebody writes, or looks up from writing. Closed, it shows what was begun in the conversation above it. */
  readonly isOpen: boolean;
  readonly target: DraftTarget;
  readonly field: TextField;
  /** The draft in which it is kept. */
  readonly draftId: string | undefined;
  readonly editing: MessageEdit | undefined;
  readonly activePart: ComposerField;
  /** The destination as text, while somebody changes it. */
  readonly recipients: Recipients | undefined;
  readonly menu: CompletionMenu | undefined;
  /** Where the menu was closed by hand: what begins there is not completed again. */
  readonly menuClosedAt: number | undefined;
  /** What was said before sending. Asking again for the same text sends, unless something stops it. */
  readonly warnings: readonly Warning[];
  readonly pastePrompt: PastePrompt | undefined;
  readonly isPreviewed: boolean;
  readonly recall: Recall<TextField> | undefined;
  readonly anchor: ComposerAnchor | undefined;
  /** Rows of the text above the first one shown. */
  readonly top: number;
  /** Once, with the next message that is sent from here. */
  readonly onSent: (() => void) | undefined;
  readonly sendKeys: EnterOptions;
  readonly upload: UploadProgress | undefined;
  readonly delayedSend: DelayedSend | undefined;
}

export const closedComposer: ComposerState = {
  isOpen: false,
  target: {kind: 'none', topic: ''},
  field: emptyField,
  draftId: undefined,
  editing: undefined,
  activePart: 'text',
  recipients: undefined,
  menu: undefined,
  menuClosedAt: undefined,
  warnings: [],
  pastePrompt: undefined,
  isPreviewed: false,
  recall: undefined,
  anchor: undefined,
  top: 0,
  onSent: undefined,
  sendKeys: {enterSends: undefined, reportsShiftEnter: false},
  upload: undefined,
  delayedSend: undefined,
};

/** The same composer with nothing in it: what was cut, and what is under way, stays. */
export function emptyComposer(composer: ComposerState, target: DraftTarget = composer.target): ComposerState {
  const {field, sendKeys, upload, delayedSend: pending} = composer;
  return {
    ...closedComposer,
    target,
    field: {...emptyField, kills: field.kills},
    sendKeys,
    upload,
    delayedSend: pending,
  };
}

/** What the keys change: the text, or a part of the destination. */
export function activeField({activePart: place, recipients, field}: ComposerState): TextField {
  if (recipients === undefined || place === 'text' || place === 'send') return field;
  return place === 'to' ? recipients.to : recipients.topic;
}
