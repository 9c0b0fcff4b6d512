import type {App} from '#app/core/app.ts';
import {emojiRow, openEmojiPicker, type ReactionEmoji, reactionEmoji} from '#app/emoji/emoji-picker.ts';
import {openPicker} from '#app/overlays/picker.ts';
import {changeOnServer} from '#app/requests/server-request.ts';
import {performUndoable} from '#app/undo/perform-undoable.ts';
import {setStatusOf} from '#state/actions/accounts.ts';
import {userName} from '#state/selectors/names/names.ts';
import {statusMessage} from '#state/selectors/people/people.ts';
import type {AccountState} from '#state/state.ts';
import {composed} from '#std/composed-text.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {PickerRow} from '#ui/core/overlay.ts';
import {emojiTable} from '#ui/format/message-context.ts';
import {openedPicker} from '#ui/overlays/picker-rows.ts';
import {statusText} from '#ui/people/user-details.ts';
import {emptyLine, setText} from '#ui/text/text-field.ts';

/** Status presets: emoji code and text. */
const presets = [
  ['1f6e0', 'Busy'],
  ['1f4c5', 'In a meeting'],
  ['1f68c', 'Commuting'],
  ['1f915', 'Out sick'],
  ['1f334', 'Vacationing'],
  ['1f3e0', 'Working remotely'],
  ['1f3e2', 'At the office'],
] as const;

interface StatusDraft {
  readonly text: string;
  readonly emoji: ReactionEmoji | undefined;
}

/** The server's limit. */
const maxCharacters = 60;

/** Parses `:octopus: deep in code` into an emoji and a text. */
export function parseStatus(account: AccountState, written: string): StatusDraft {
  const [whole = '', name = ''] = /^:([^:\s]+):\s*/.exec(written.trim()) ?? [];
  const emoji = name === '' ? undefined : namedEmoji(account, name);
  return {text: (emoji === undefined ? written : written.trim().slice(whole.length)).trim(), emoji};
}

function namedEmoji(account: AccountState, name: string): ReactionEmoji | undefined {
  const own = reactionEmoji(account, {kind: 'custom', name});
  const code = emojiTable(account).code(name);
  return own ?? (code === undefined ? undefined : reactionEmoji(account, {kind: 'unicode', name, code}));
}

function presetStatus(account: AccountState, code: string, text: string): StatusDraft {
  const emoji = {emojiName: emojiTable(account).name(code) ?? '', emojiCode: code, reactionType: 'unicode_emoji'};
  return {text, emoji};
}

/** Opens a picker for the user's status and for going invisible, or for the status of another user. */
export function openStatusPicker(app: App, userId = app.state.self.userId): void {
  const isSelf = userId === app.state.self.userId;
  const open = (text: string, chosen?: ReactionEmoji) =>
    openPicker(
      app,
      {
        id: 'status',
        title: isSelf ? 'Your status' : composed`Status of ${userName(app.state, userId)}`,
        placeholder: isSelf ? 'What are you up to?' : 'What are they up to?',
        hint: {Enter: 'sets', Tab: 'picks an emoji'},
        columns: 56,
        rows: (frame, query) => statusRows(frame, query, chosen, userId),
        accept: (from, {key}, how) => {
          const written = openedPicker(from)?.field.text ?? '';
          from.closeOverlay();
          if (how === 'tab') pickEmoji(from, (emoji) => open(written, emoji ?? chosen));
          else applyChoice(from, userId, key, written, chosen);
        },
      },
      setText(emptyLine, text),
    );
  open('');
}

function pickEmoji(app: App, then: (emoji: ReactionEmoji | undefined) => void): void {
  let picked: ReactionEmoji | undefined;
  openEmojiPicker(app, {
    id: 'status-emoji',
    title: 'Emoji of your status',
    hint: {Enter: 'chooses', Esc: 'goes back'},
    accept: (from, emoji) => {
      picked = emoji;
      from.closeOverlay();
    },
    onClose: () => then(picked),
  });
}

export function statusRows(
  frame: Frame,
  query: string,
  chosen: ReactionEmoji | undefined,
  userId = frame.account.self.userId,
): readonly PickerRow[] {
  const {account} = frame;
  const written = parseStatus(account, query);
  const emoji = written.emoji ?? chosen;
  const own: readonly PickerRow[] =
    written.text === '' && emoji === undefined ? [] : [ownRow(frame, {text: written.text, emoji})];
  const fits = (text: string) => text.toLowerCase().includes(written.text.toLowerCase());
  const usual = presets.flatMap(([code, text]) =>
    fits(text) ? [{...statusRow(frame, presetStatus(frame.account, code, text)), key: `preset ${code}`}] : [],
  );
  return [...own, ...usual, ...(written.text === '' ? settingRows(frame, userId) : [])];
}

function ownRow(frame: Frame, status: StatusDraft): PickerRow {
  const count = [...status.text].length;
  return {
    ...statusRow(frame, status),
    key: 'own',
    ...(count > maxCharacters && {disabled: `Too long: ${count} of ${maxCharacters} characters.`}),
  };
}

/** Returns a row whose text is aligned with the others, with or without an emoji. */
function statusRow(frame: Frame, {text, emoji}: StatusDraft): PickerRow {
  if (emoji === undefined) return {key: text, label: `   ${text}`};
  const row = emojiRow(frame, {emoji});
  const sign = row.label.slice(0, row.label.length - emoji.emojiName.length);
  const isSpelled = sign.trim() === '';
  return {
    key: text,
    label: isSpelled ? `   ${text}` : `${sign}${text}`,
    ...(isSpelled && {detail: `:${emoji.emojiName}:`}),
  };
}

function settingRows({account, display}: Frame, userId: number): readonly PickerRow[] {
  const now = statusMessage(account, userId);
  const clear = now === undefined ? [] : [{key: 'clear', label: '   Clear status', detail: statusText(now, display)}];
  if (userId !== account.self.userId) return clear;
  return [
    {key: 'rule', label: '', isTitle: true},
    ...clear,
    isInvisible(account)
      ? {key: 'visible', label: '   Turn off invisible mode', detail: 'you are invisible now'}
      : {key: 'invisible', label: '   Go invisible', detail: 'others see you as offline'},
  ];
}

function isInvisible({settings, statuses, self}: AccountState): boolean {
  return settings.presenceEnabled === false || statuses.get(self.userId)?.away === true;
}

function applyChoice(app: App, userId: number, key: string, written: string, chosen: ReactionEmoji | undefined): void {
  if (key === 'visible' || key === 'invisible') {
    const value = key === 'visible';
    const label = value ? 'Invisible mode off' : 'Invisible mode on';
    performUndoable(app, {kind: 'setting', name: 'presence_enabled', value}, label);
    return;
  }
  if (key === 'clear') {
    setStatus(app, userId, {text: '', emoji: undefined});
    return;
  }
  const [code, text] = presets.find(([one]) => key === `preset ${one}`) ?? [];
  const own = parseStatus(app.state, written);
  const status = code === undefined ? {...own, emoji: own.emoji ?? chosen} : presetStatus(app.state, code, text);
  setStatus(app, userId, status);
}

function setStatus(app: App, userId: number, status: StatusDraft): void {
  const isCleared = status.text === '' && status.emoji === undefined;
  if (userId === app.state.self.userId) {
    const {text, emoji = {emojiName: '', emojiCode: '', reactionType: ''}} = status;
    performUndoable(app, {kind: 'status', text, ...emoji}, isCleared ? 'Cleared your status' : 'Set your status');
    return;
  }
  const name = userName(app.state, userId);
  const {
    statusText: text = '',
    emojiName = '',
    emojiCode = '',
    reactionType = '',
  } = app.state.statuses.get(userId) ?? {};
  const before: StatusDraft = {text, emoji: emojiName === '' ? undefined : {emojiName, emojiCode, reactionType}};
  const label = composed`${isCleared ? 'Cleared' : 'Set'} the status of ${name}`;
  const failureText = 'The status was not changed';
  changeOnServer(app, {
    send: () => sendStatus(app, userId, status),
    failureText,
    label,
    undo: () => sendStatus(app, userId, before),
    undoingText: composed`Restoring the status of ${name}…`,
    undoneText: composed`Restored the status of ${name}`,
  });
}

function sendStatus(app: App, userId: number, {text, emoji}: StatusDraft): Promise<unknown> {
  return setStatusOf(app.session.context, userId, {
    status_text: text,
    emoji_name: emoji?.emojiName ?? '',
    ...(emoji && {emoji_code: emoji.emojiCode, reaction_type: emoji.reactionType}),
  });
}
