import {isApiFailure, isRefusal} from '#api/failure.ts';
import type {FileSource} from '#api/multipart.ts';
import {addEmoji, removeEmoji} from '#state/actions/organization.ts';
import {uploadProblem} from '#state/actions/uploads.ts';
import {hasRealmPermission, isAdministrator} from '#state/selectors/permissions/permission.ts';
import type {App} from '#ui/core/app.ts';
import type {Form, FormField} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import {emojiTable} from '#ui/format/emoji-table.ts';
import {formView} from '#ui/forms/form-view.ts';
import {openForm, setFieldEdit} from '#ui/forms/open-form.ts';
import {openFilePicker} from '#ui/overlays/file-picker.ts';
import {undoOffer} from '#ui/undo/undo-request.ts';

type EmojiValues = {file: string; name: string};

const maxMib = 5;
const maxNameLength = 100;

/** Returns why the user may not add custom emoji. */
export function addEmojiReason({account, minute}: Frame): string | undefined {
  const {realm, self} = account;
  const policy = {code: realm.addCustomEmojiPolicy};
  const isAllowed = hasRealmPermission(account, self.userId, 'canAddCustomEmojiGroup', minute, {
    policy,
    fallback: 'role:members',
  });
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
    fields: emojiFields,
    actions: (frame) => [
      {
        id: 'choose',
        label: 'Choose a file…',
        key: 'Ctrl-O',
        disabled: addEmojiReason(frame),
        run: (from) => chooseFile(from, form),
      },
    ],
    errorField: (error) => {
      if (isRefusal(error, 'BAD_IMAGE') || !isApiFailure(error)) return 'file';
      return /name|default emoji/i.test(error.message) ? 'name' : undefined;
    },
    save: async (from, _changes, values) => {
      const {context} = from.session;
      const name = nameOf(values.name);
      await addEmoji(context, name, await imageFile(from, values.file));
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
  const disabled = addEmojiReason(frame);
  return [
    {
      kind: 'text',
      key: 'file',
      label: 'Image file',
      help: `A path on this machine. PNG, GIF, JPEG or WebP, at most ${maxMib} MiB. Ctrl-O shows the files.`,
      placeholder: '~/party_parrot.gif',
      isRequired: true,
      disabled,
    },
    {
      kind: 'text',
      key: 'name',
      label: 'Name',
      help: 'Lowercase letters, digits, - and _',
      isRequired: true,
      disabled,
      validate: (typed) => nameProblem(frame, nameOf(typed)),
      result: name === '' ? undefined : resultText(frame, nameOf(name)),
    },
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
    hint: 'Enter opens a directory, chooses a file',
    accept: (from, path) => {
      setFieldEdit(from, form, 'file', {value: path, text: path});
      if (formView(from.frame, form).values.name !== '') return;
      const base = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '');
      const name = nameOf(base).replaceAll(/[^a-z0-9_-]+/g, '_');
      setFieldEdit(from, form, 'name', {value: name, text: name});
    },
  });
}

async function imageFile({device}: App, path: string): Promise<FileSource> {
  const {name, bytes} = await device.readFile(path);
  const file = {name, size: bytes.length, data: new Blob([new Uint8Array(bytes)])};
  const problem = uploadProblem(file, maxMib);
  if (problem !== undefined) throw new Error(problem);
  return file;
}
