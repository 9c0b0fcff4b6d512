import {spansColumns} from '#content/styled-text/wrap.ts';
import {topicExists} from '#state/selectors/lists/conversation-rows.ts';
import {conversationTitle, isResolved, unresolvedName} from '#state/selectors/names/names.ts';
import {editSecondsLeft} from '#state/selectors/permissions/message-permissions.ts';
import type {AccountState} from '#state/state.ts';
import {composed} from '#std/composed-text.ts';
import {type Frame, shownConversation} from '#ui/core/frame.ts';
import {channelColor, tintedChannelSpans} from '#ui/format/conversation-name.ts';
import {fittedLine, leftRightLine, type UiLine, type UiSpan} from '#ui/layout/ui-line.ts';
import {endsWithBackslash, isInsideFence} from '#ui/text/markup.ts';
import {type SendKeyContext, sendHints} from '#ui/text/send-keys.ts';
import type {TextField} from '#ui/text/text-field.ts';
import {lineWindow, type TextOrder} from '#ui/text/text-layout.ts';
import {lengthCounter} from '#ui/warnings/send-warnings.ts';
import {plainGlyphText, uiGlyphs} from '#wording/ui-glyphs.ts';
import type {ComposerState} from './composer-state.ts';
import {destinationTitle, movedDestination, sameTarget} from './destination.ts';
import {emptyTopicText, type Recipients} from './recipients.ts';

/** The width of the `Channel ` and `Topic   ` labels. */
export const labelColumns = 9;

/**
 * What the lines above the text are made of. `fields`: the open destination fields; none while the destination is one line.
 * `title`: the destination itself, and why the text may not be sent as it is. `button`: the send button while it has the
 * keyboard. `hints`: key hints, the longest first: the first one that fits is shown. `moved`: the notice that the
 * conversation has moved meanwhile.
 */
type ShownDestination = ReturnType<typeof shownDestination>;

interface DestinationField {
  readonly label: string;
  readonly field: TextField;
  readonly isActive: boolean;
  readonly placeholder: string;
  readonly right: readonly UiSpan[];
  readonly order: TextOrder;
}

const sendButton: readonly UiSpan[] = [
  {text: '[ Send ]', role: 'menu_selected'},
  {text: ' Enter', role: 'hint'},
];

/** Selects the destination, which is always visible while the user writes. */
export function shownDestination(frame: Frame, columns: number) {
  const {composer, focus} = frame.screen;
  const {recipients, editing, activePart} = composer;
  const moved = movedSpans(frame);
  if (recipients !== undefined) {
    return {fields: destinationFields(frame, recipients), title: [], counter: [], button: [], hints: [], moved};
  }
  const isOnButton = activePart === 'send' && focus === 'composer';
  return {
    fields: [],
    title: editing === undefined ? destinationSpans(frame) : editingSpans(frame, editing.messageId, columns),
    counter: counterSpans(frame.account, composer),
    button: isOnButton ? sendButton : [],
    hints: isOnButton ? [] : keyHints(frame),
    moved,
  };
}

/** Returns the destination at the left with key hints at the right, or its fields, one row each. */
export function destinationLines(shown: ShownDestination, columns: number): readonly UiLine[] {
  const {fields, title, counter, button, hints, moved} = shown;
  const room = columns - spansColumns([...title, ...counter]) - 2;
  const hint = hints.find((span) => spansColumns([span]) <= room);
  const minLeft = counter.length > 0 ? 16 : columns;
  return [
    ...(fields.length > 0
      ? fields.map((field) => fieldLine(field, columns))
      : [leftRightLine(title, [...counter, ...button, ...(hint === undefined ? [] : [hint])], columns, {minLeft})]),
    ...(moved.length === 0 ? [] : [fittedLine(moved, columns)]),
  ];
}

/** Returns where the message goes. That it is not the conversation above is said in a word and a colour. */
function destinationSpans(frame: Frame): readonly UiSpan[] {
  const {account, screen} = frame;
  const {composer, view} = screen;
  const shown = shownConversation({view});
  const isElsewhere = shown !== undefined && !sameTarget(composer.target, shown);
  const hasMoved = movedDestination(account, composer) !== undefined;
  const role = hasMoved || composer.target.kind === 'none' ? 'destination_changed' : 'destination';
  const glyphs = uiGlyphs(frame.display);
  const text = plainGlyphText(destinationTitle(account, composer.target), frame.display);
  const color =
    composer.target.kind === 'topic' && !hasMoved ? channelColor(account, composer.target.channelId) : undefined;
  return [
    {text: 'to ', role: isElsewhere ? 'warning' : 'dim'},
    ...tintedChannelSpans([{text, role}], color, glyphs),
    ...(isElsewhere ? [{text: '  not here', role: 'warning'} as const] : []),
    ...newTopicSpans(account, composer),
    ...queuedSpans(account),
    ...(composer.isPreviewed ? [{text: '  preview', role: 'dim'} as const] : []),
  ];
}

function newTopicSpans(account: AccountState, {target}: ComposerState): readonly UiSpan[] {
  if (target.kind !== 'topic' || topicExists(account, target.channelId, target.topic) !== false) return [];
  return [{text: '  new topic', role: 'new_topic'}];
}

function queuedSpans({connection}: AccountState): readonly UiSpan[] {
  const isQueued = connection.phase === 'offline' || connection.phase === 'signedOut';
  return isQueued ? [{text: '  (will be queued)', role: 'pending'}] : [];
}

function editingSpans({account, display, minute}: Frame, messageId: number, columns: number): readonly UiSpan[] {
  const message = account.messages.byId.get(messageId);
  const seconds = message === undefined ? undefined : editSecondsLeft(account, message, minute);
  const left = seconds === undefined ? '' : ` · ${timeLeft(seconds)}`;
  const escHint = columns < 60 ? 'Esc saves a draft' : 'Esc saves the edit as a draft';
  return [
    {text: 'editing', role: 'destination', bold: true},
    {text: plainGlyphText(` · ${escHint}${left}`, display), role: 'dim'},
  ];
}

function timeLeft(seconds: number): string {
  if (seconds < 60) return 'less than a minute left';
  const minutes = Math.floor(seconds / 60);
  if (minutes < 120) return `${minutes} min left`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h left` : `${Math.floor(hours / 24)} days left`;
}

function counterSpans(account: AccountState, {field}: ComposerState): readonly UiSpan[] {
  const counter = lengthCounter(account, field.text);
  if (counter === undefined) return [];
  const text = `${counter.count}/${counter.limit}${counter.left < 0 ? ' too long' : ''}  `;
  return [{text, role: counter.left < 0 ? 'counter_over' : 'counter'}];
}

function keyHints(frame: Frame): readonly UiSpan[] {
  const {account, screen, display} = frame;
  const {composer, focus} = screen;
  const {reportsShiftEnter} = composer.sendKeys;
  const hints = sendHints(sendKeyContext(account, composer), {
    shiftEnter: reportsShiftEnter,
    ctrlEnter: reportsShiftEnter,
  }).map(({key, label}) => `${key} ${label === 'send' && composer.editing !== undefined ? 'save' : label}`);
  const candidates = focus === 'composer' ? [hints.join(' · '), hints[0] ?? ''] : resumeHints(frame);
  return candidates.map((text) => ({text: plainGlyphText(text, display), role: 'hint'}));
}

/** The composer that is open below the messages of its conversation is resumed as a reply. */
function resumeHints({screen}: Frame): readonly string[] {
  const isHere = screen.focus === 'main' && sameTarget(screen.composer.target, shownConversation(screen));
  return isHere && screen.composer.editing === undefined ? ['r resumes writing'] : [];
}

/** Returns what decides the meaning of Enter now. */
export function sendKeyContext(
  {settings}: Pick<AccountState, 'settings'>,
  {field, sendKeys}: ComposerState,
  isBurst = false,
): SendKeyContext {
  return {
    entersSends: sendKeys.enterSends ?? settings.enterSends ?? true,
    isInFence: isInsideFence(field.text, field.cursor),
    endsWithBackslash: endsWithBackslash(field.text, field.cursor),
    isBurst,
  };
}

function destinationFields(frame: Frame, recipients: Recipients): readonly DestinationField[] {
  const {account, screen, display} = frame;
  const {activePart} = screen.composer;
  const order = display.bidi;
  const to = {field: recipients.to, isActive: activePart === 'to', right: [], order};
  if (recipients.kind === 'people') {
    const placeholder = plainGlyphText('names, separated by commas · # for a channel', display);
    return [{...to, label: 'To', placeholder}];
  }
  return [
    {...to, label: 'Channel', placeholder: plainGlyphText('channel name · @ for people', display)},
    {
      label: 'Topic',
      field: recipients.topic,
      isActive: activePart === 'topic',
      placeholder: emptyTopicText(account, recipients),
      order,
      right: [...newTopicSpans(account, screen.composer), ...queuedSpans(account)],
    },
  ];
}

function fieldLine({label, field, isActive, placeholder, right, order}: DestinationField, columns: number): UiLine {
  const {span} = lineWindow(field.text, field.cursor, Math.max(1, columns - labelColumns), 0, order);
  const text: UiSpan = field.text === '' ? {text: placeholder, role: 'placeholder'} : {...span, role: 'destination'};
  const name: UiSpan = {
    text: ` ${label.padEnd(labelColumns - 1)}`,
    role: isActive ? 'prompt' : 'dim',
    ...(isActive && {bold: true as const}),
  };
  return right.length === 0 || isActive
    ? fittedLine([name, text], columns)
    : leftRightLine([name, text], right, columns);
}

function movedSpans({account, screen, display}: Frame): readonly UiSpan[] {
  const {composer} = screen;
  const moved = movedDestination(account, composer);
  if (moved === undefined) return [];
  return [
    {text: composed`! ${movedVerb(composer, moved)} ${conversationTitle(account, moved)}`, role: 'banner'},
    {text: plainGlyphText(' — Enter follow · Esc stay', display), role: 'hint'},
  ];
}

function movedVerb({target}: ComposerState, moved: ReturnType<typeof movedDestination>): string {
  const isRenaming = target.kind === 'topic' && moved?.kind === 'topic' && target.channelId === moved.channelId;
  if (!isRenaming) return 'moved to';
  if (unresolvedName(target.topic) !== unresolvedName(moved.topic)) return 'renamed to';
  return isResolved(moved.topic) ? 'resolved, now' : 'unresolved, now';
}
