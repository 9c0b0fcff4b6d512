import type {App} from '#app/core/app.ts';
import {imageFile, openFilePicker} from '#app/files/file-picker.ts';
import {openForm, setFieldEdit} from '#app/forms/open-form.ts';
import {openRecordList, type RecordRow, recordAction} from '#app/forms/record-list.ts';
import {requestFromServer, undoOffer} from '#app/requests/server-request.ts';
import {addEmoji, removeEmoji} from '#state/actions/administration.ts';
import {sortedByName, userName} from '#state/selectors/names/names.ts';
import {hasRealmPermission, isAdministrator} from '#state/selectors/permissions/permission.ts';
import {type Form, type FormField, formAction, formField} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import {emojiTable} from '#ui/format/message-context.ts';
import {formView} from '#ui/forms/form-view.ts';
import {isApiFailure, isRefusal} from '#wire/failure.ts';
import type {OrganizationList} from './organization-list.ts';

type EmojiValues = {file: string; name: string};

const maxMib = 5;
const maxNameLength = 100;

/** Returns why the user may not add custom emoji. */
export function addEmojiReason({account, minute}: Frame): string | undefined {
  const isAllowed = hasRealmPermission(account, 'canAddCustomEmojiGroup', minute);
  return isAllowed ? undefined : 'You do not have permission to add custom emoji';
}

/** Opens the form for a new custom emoji. */
export function openEmojiForm(app: App): void {
  const form: Form<EmojiValues> = {
    id: 'new emoji',
    title: 'New custom emoji',
    isNew: true,
    saveLabel: 'Add the emoji',
    initial: () => ({file: '', name: ''}),
    disabledReason: addEmojiReason,
    fields: emojiFields,
    actions: (frame) => [
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
    save: async (from, _changes, values) => {
      const {context} = from.session;
      const name = nameOf(values.name);
      await addEmoji(context, name, await imageFile(from, values.file, maxMib));
      return undoOffer(from, {
        label: `Added the emoji :${name}:`,
        undo: () => removeEmoji(context, name),
        undoneText: `Removed the emoji :${name}:`,
        failureText: `:${name}: was not removed`,
      });
    },
  };
  openForm(app, form);
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
  const isTaken = [...account.emoji.values()].some((one) => one.name === name && !one.deactivated);
  if (isTaken) return 'A custom emoji has this name';
  const isReserved = isBuiltIn(frame, name) && !isAdministrator(account);
  return isReserved ? 'Only administrators can replace a built-in emoji' : undefined;
}

/** Chooses the file; it also names the emoji, unless that has a name. */
function chooseFile(app: App, form: Form<EmojiValues>): void {
  openFilePicker(app, {
    id: 'emoji file',
    title: 'Image of the emoji',
    hint: {Enter: 'opens a directory, chooses a file'},
    accept: (from, path) => {
      setFieldEdit(from, form, 'file', {value: path, text: path});
      if (formView(from.frame, form).values.name !== '') return;
      const base = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '');
      const name = nameOf(base).replaceAll(/[^a-z0-9_-]+/g, '_');
      setFieldEdit(from, form, 'name', {value: name, text: name});
    },
  });
}

/** Opens the list of custom emoji, to add them and to remove one's own; administrators remove all. */
export function openEmojiList(app: App): void {
  openRecordList(app, {
    id: 'custom emoji',
    title: 'Custom emoji',
    empty: 'No custom emoji',
    rows: ({account}) => {
      const active = [...account.emoji.values()].filter(({deactivated}) => !deactivated);
      return sortedByName(active, ({name}) => name).map(
        ({id, name, authorId}): RecordRow => ({
          key: id,
          label: `:${name}:`,
          detail: typeof authorId === 'number' ? `by ${userName(account, authorId)}` : undefined,
        }),
      );
    },
    add: {label: 'New emoji…', disabledReason: addEmojiReason, run: openEmojiForm},
    actions: [
      recordAction('Delete', 'remove', {
        disabledReason: ({key}, frame) => removeReason(frame, key),
        confirm: ({label}) => ({
          title: `Remove the emoji ${label}?`,
          yes: 'Remove',
          detail: 'for ever; messages that have it keep it',
        }),
        run: (from, {label}) =>
          requestFromServer(from, {
            send: () => removeEmoji(from.session.context, label.slice(1, -1)),
            doneText: () => `Removed the emoji ${label}`,
            failureText: `${label} was not removed`,
          }),
      }),
    ],
  });
}

function removeReason({account}: Frame, id: string): string | undefined {
  const isOwn = account.emoji.get(id)?.authorId === account.self.userId;
  return isOwn || isAdministrator(account) ? undefined : 'Only administrators and who added it can remove an emoji';
}

export const emojiList: OrganizationList = {
  id: 'emoji',
  title: 'Custom emoji',
  detail: 'own pictures for messages and reactions',
  aliases: ['emoji list', 'manage emoji', 'remove emoji', 'deactivate emoji'],
  open: openEmojiList,
};
