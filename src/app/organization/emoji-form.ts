import type {App} from '#app/core/app.ts';
import {imageFile, openFilePicker} from '#app/files/file-picker.ts';
import {setFieldEdit} from '#app/forms/open-form.ts';
import {RecordKind} from '#app/forms/record-kind.ts';
import {addEmoji, removeEmoji} from '#state/actions/administration.ts';
import {sortedByName, userName} from '#state/selectors/names/names.ts';
import {hasRealmPermission, isAdministrator} from '#state/selectors/permissions/permission.ts';
import type {Emoji} from '#state/slices/emoji.ts';
import type {AccountState} from '#state/state.ts';
import {composed} from '#std/composed-text.ts';
import {type Form, type FormField, formAction, formField} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import {emojiTable} from '#ui/format/message-context.ts';
import {formView} from '#ui/forms/form-view.ts';
import {isApiFailure, isRefusal} from '#wire/failure.ts';
import {organizationList} from './organization-list.ts';

type EmojiValues = {file: string; name: string};

const maxMib = 5;
const maxNameLength = 100;

function activeEmoji({emoji}: AccountState): readonly Emoji[] {
  return [...emoji.values()].filter(({deactivated}) => !deactivated);
}

/** Returns why the user may not add custom emoji. */
export function addEmojiReason({account, minute}: Frame): string | undefined {
  const isAllowed = hasRealmPermission(account, 'canAddCustomEmojiGroup', minute);
  return isAllowed ? undefined : 'You do not have permission to add custom emoji';
}

function emojiFields(frame: Frame, {name}: EmojiValues): readonly FormField[] {
  return [
    formField('text', 'file', 'Image file', {
      help: `A path on this machine. PNG, GIF, JPEG or WebP, at most ${maxMib} MiB. Ctrl-O shows the files.`,
      placeholder: '~/party_parrot.gif',
      isRequired: true,
    }),
    formField('text', 'name', 'Name', {
      help: 'Lowercase letters, digits, - and _',
      isRequired: true,
      validate: (typed) => nameProblem(frame, nameOf(typed)),
      result: name === '' ? undefined : resultText(frame, nameOf(name)),
    }),
  ];
}

/** Returns the name that the server makes of a typed one. */
function nameOf(typed: string): string {
  return typed.trim().toLowerCase().replaceAll(' ', '_');
}

function resultText(frame: Frame, name: string): string {
  return `→ :${name}:${isBuiltIn(frame, name) ? ' instead of the built-in emoji' : ''}`;
}

function isBuiltIn({account}: Frame, name: string): boolean {
  return emojiTable(account).code(name) !== undefined;
}

function nameProblem(frame: Frame, name: string): string | undefined {
  const {account} = frame;
  if (!/^[a-z0-9_-]+$/.test(name)) return 'Only lowercase letters, digits, - and _';
  if (/[_-]$/.test(name)) return 'The last character must be a letter or a digit';
  if (name.length > maxNameLength) return `At most ${maxNameLength} characters`;
  if (activeEmoji(account).some((one) => one.name === name)) return 'A custom emoji has this name';
  const isReserved = isBuiltIn(frame, name) && !isAdministrator(account);
  return isReserved ? 'Only administrators can replace a built-in emoji' : undefined;
}

/** Chooses the file; it also names the emoji, unless that has a name. */
function chooseFile(app: App, form: Form<EmojiValues>): void {
  openFilePicker(app, {
    id: 'emoji file',
    title: 'Image of the emoji',
    effect: 'chooses a file',
    accept: (from, path) => {
      setFieldEdit(from, form, 'file', {value: path, text: path});
      if (formView(from.frame, form).values.name !== '') return;
      const base = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '');
      const name = nameOf(base).replaceAll(/[^a-z0-9_-]+/g, '_');
      setFieldEdit(from, form, 'name', {value: name, text: name});
    },
  });
}

function removeReason({account}: Frame, {authorId}: Emoji): string | undefined {
  const isOwn = authorId === account.self.userId;
  return isOwn || isAdministrator(account) ? undefined : 'Only administrators and who added it can remove an emoji';
}

/** The custom emoji. Users remove their own, and administrators all. The key is the name, which only one active emoji has. */
export const customEmoji = new RecordKind<Emoji, EmojiValues, string>({
  noun: 'emoji',
  list: {
    id: 'emoji',
    title: 'Custom emoji',
    empty: 'No custom emoji',
    addLabel: 'New emoji…',
    rows: ({account}) =>
      sortedByName(activeEmoji(account), ({name}) => name).map(({name, authorId}) => ({
        key: name,
        label: `:${name}:`,
        detail: typeof authorId === 'number' ? composed`by ${userName(account, authorId)}` : undefined,
      })),
  },
  keyOf: String,
  find: ({account}, name) => activeEmoji(account).find((one) => one.name === name),
  changeReason: (frame, emoji) => (emoji === undefined ? addEmojiReason(frame) : removeReason(frame, emoji)),
  form: {
    newTitle: 'New custom emoji',
    createLabel: 'Add the emoji',
    values: () => ({file: '', name: ''}),
    fields: emojiFields,
    actions: (frame, _emoji, form) => [
      formAction('choose', 'Choose a file…', {
        key: 'Ctrl-O',
        disabled: addEmojiReason(frame),
        run: (from) => chooseFile(from, form),
      }),
    ],
    errorField: (error) => {
      if (isRefusal(error, 'BAD_IMAGE') || !isApiFailure(error)) return 'file';
      return /name|default emoji/i.test(error.message) ? 'name' : undefined;
    },
  },
  create: async (context, values, {app}) => {
    const name = nameOf(values.name);
    await addEmoji(context, name, await imageFile(app, values.file, maxMib));
    return name;
  },
  created: (values) => {
    const name = `:${nameOf(values.name)}:`;
    return {
      done: composed`Added the emoji ${name}`,
      undone: composed`Removed the emoji ${name}`,
      notUndone: composed`${name} was not removed`,
    };
  },
  removal: {
    remove: removeEmoji,
    confirm: ({name}) => ({
      title: composed`Remove the emoji :${name}:?`,
      yes: 'Remove',
      detail: 'for ever; messages that have it keep it',
    }),
    texts: ({name}) => ({done: composed`Removed the emoji :${name}:`, failed: `:${name}: was not removed`}),
  },
});

export const emojiList = organizationList(customEmoji, {
  detail: 'own pictures for messages and reactions',
  aliases: ['emoji list', 'manage emoji', 'remove emoji', 'deactivate emoji'],
});
