import type {Conversation} from '#state/model/conversation.ts';
import type {DraftTarget} from '#state/model/draft.ts';
import type {Completion} from '#ui/search/completion.ts';
import {emptyField, type TextField} from '#ui/text/text-field.ts';
import type {Warning} from '#ui/warnings/warning.ts';
import type {Recipients} from './recipients.ts';

/** The part of the composer that has the keyboard. */
export type ComposerField = 'to' | 'topic' | 'text' | 'send';

/** The edit of an existing message. */
export interface MessageEdit {
  readonly messageId: number;
  /** The message's source when the edit began. */
  readonly before: string;
}

export interface CompletionMenu {
  readonly completion: Completion;
  /** Undefined until the user selects an option. */
  readonly index: number | undefined;
}

/** An offer about the text just pasted. Typing keeps the text and ends the offer. */
export type PastePrompt =
  | {readonly kind: 'paste'; readonly start: number; readonly text: string; readonly lines: number}
  | {
      readonly kind: 'files';
      readonly start: number;
      readonly text: string;
      readonly paths: readonly string[];
    }
  /** An offer to replace a pasted URL by the short form that a linkifier turns into it. */
  | {readonly kind: 'url'; readonly start: number; readonly text: string; readonly short: string};

interface UploadProgress {
  readonly name: string;
  readonly percent: number;
}

/** A message that is sent after a short delay unless the user cancels it. */
export interface DelayedSend {
  /** The id that it will have in the outbox. */
  readonly id: string;
  readonly conversation: Conversation;
  readonly content: string;
  readonly seconds: number;
  /** The draft that stores the text until it is sent. */
  readonly draftId: string | undefined;
  /** Cancels the timer. */
  readonly cancel: () => void;
}

/** A message in the destination, to notice when the conversation moves. */
export interface ComposerAnchor {
  readonly messageId: number;
  /**
   * Whether this is the message being replied to: the reply follows it when it moves. Otherwise the reply follows
   * only when the whole conversation moves.
   */
  readonly isRepliedTo: boolean;
}

/** The options that decide what Enter does, besides the account's setting. */
interface EnterOptions {
  /** Undefined: the account's setting decides. */
  readonly enterSends: boolean | undefined;
  readonly reportsShiftEnter: boolean;
}

/** The message being written and its destination. */
export interface ComposerState {
  /** Open, also while the focus is elsewhere. A closed composer shows the draft of the conversation above it. */
  readonly isOpen: boolean;
  readonly target: DraftTarget;
  readonly field: TextField;
  /** The draft that stores the text. */
  readonly draftId: string | undefined;
  readonly editing: MessageEdit | undefined;
  readonly activePart: ComposerField;
  /** The destination as editable text, while its fields are open. */
  readonly recipients: Recipients | undefined;
  readonly menu: CompletionMenu | undefined;
  /** Start of the completion that the user closed: it does not open again there. */
  readonly menuClosedAt: number | undefined;
  /** Warnings shown before sending. Sending the same text again ignores them, unless one blocks. */
  readonly warnings: readonly Warning[];
  readonly pastePrompt: PastePrompt | undefined;
  readonly isPreviewed: boolean;
  /** Whether letters are commands for the text, as in vi. */
  readonly isNormal: boolean;
  readonly recall: Recall<TextField> | undefined;
  readonly anchor: ComposerAnchor | undefined;
  /** Rows of the text above the first one shown. */
  readonly top: number;
  /** Called once, after the next message is sent from here. */
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
  isNormal: false,
  recall: undefined,
  anchor: undefined,
  top: 0,
  onSent: undefined,
  sendKeys: {enterSends: undefined, reportsShiftEnter: false},
  upload: undefined,
  delayedSend: undefined,
};

/** Returns the composer with empty text. The kill ring, a running upload and a delayed send stay. */
export function emptyComposer(composer: ComposerState, target: DraftTarget = composer.target): ComposerState {
  const {field, sendKeys, upload, delayedSend} = composer;
  return {
    ...closedComposer,
    target,
    field: {...emptyField, kills: field.kills},
    sendKeys,
    upload,
    delayedSend,
  };
}

/** The field that typed keys change: the text, or a part of the destination. */
export function activeField({activePart, recipients, field}: ComposerState): TextField {
  if (recipients === undefined || activePart === 'text' || activePart === 'send') return field;
  return activePart === 'to' ? recipients.to : recipients.topic;
}

/** Whether keys are commands for the text: only there, so that the destination can be typed. */
export function isNormalMode({isNormal, activePart}: ComposerState): boolean {
  return isNormal && activePart === 'text';
}

/** The texts sent from this client, newest first. */
export type SentHistory = readonly string[];

const maxTexts = 500;

export function withSent(history: SentHistory, text: string): SentHistory {
  if (text.trim() === '' || history[0] === text) return history;
  return [text, ...history].slice(0, maxTexts);
}

/**
 * The position in the history while recalling. The text that was being written stays complete with its undo history.
 */
export interface Recall<Written> {
  /** The history when recalling started, so that a message sent meanwhile shifts nothing. */
  readonly history: SentHistory;
  readonly at: number;
  readonly written: Written;
}

export type Recalled<Written> =
  | {readonly kind: 'sent'; readonly text: string; readonly recall: Recall<Written>}
  | {readonly kind: 'written'; readonly written: Written};

/** Returns the text sent before the shown one; undefined at the end. */
export function recallOlder<Written>(
  recall: Recall<Written> | undefined,
  history: SentHistory,
  written: Written,
): Recalled<Written> | undefined {
  return recalled(recall === undefined ? {history, at: 0, written} : {...recall, at: recall.at + 1});
}

/** Returns the text sent after the shown one, and at the end the text that was being written. */
export function recallNewer<Written>(recall: Recall<Written>): Recalled<Written> {
  return recalled({...recall, at: recall.at - 1}) ?? {kind: 'written', written: recall.written};
}

function recalled<Written>(recall: Recall<Written>): Recalled<Written> | undefined {
  const text = recall.history[recall.at];
  return text === undefined ? undefined : {kind: 'sent', text, recall};
}

/** Whether the arrow keys may recall: the field is empty, or shows a recalled text unchanged. */
export function canRecall<Written>(recall: Recall<Written> | undefined, text: string): boolean {
  return text === '' || (recall !== undefined && recall.history[recall.at] === text);
}

/** Returns the sent texts that contain the query, ignoring case, newest first, without duplicates. */
export function sentMatches(history: SentHistory, query: string): readonly string[] {
  const foldedQuery = folded(query);
  return [...new Set(history)].filter((text) => folded(text).includes(foldedQuery));
}

function folded(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

declare module '#ui/core/screen-state.ts' {
  interface ScreenState {
    readonly composer: ComposerState;
  }
}
