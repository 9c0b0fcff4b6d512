import {failureReason} from '#app/actions/server-request.ts';
import {completionAt} from '#app/completion/completion-at.ts';
import type {App} from '#app/core/app.ts';
import type {PickerRow} from '#app/core/overlay.ts';
import {changePickerField, openPicker} from '#app/overlays/picker.ts';
import {insert, replaceRange, setText, type TextField} from '#app/text/text-field.ts';
import {uploadFile, uploadSizeProblem} from '#state/actions/uploads.ts';
import {printableLine} from '#std/printable.ts';
import {changeMessageText, setComposer} from './change-composer.ts';
import {composerSaver} from './composer-saver.ts';
import {uploadPlaceholder} from './upload-mark.ts';

interface FileToSend {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A picker through the directories of this machine. */
export function openFilePathPicker(app: App): void {
  // Each directory is read once for as long as the picker is open.
  const read = new Map<string, Files | undefined>();
  const filesIn = (directory: string) => {
    if (!read.has(directory)) read.set(directory, filesOf(app, directory));
    return read.get(directory);
  };
  openPicker(app, {
    id: 'attach',
    title: 'Attach file',
    placeholder: 'path, such as ~/notes.txt',
    hint: 'Enter opens a directory, attaches a file',
    rows: (frame, query) => fileRows(filesIn, frame.account, query),
    accept: (from, {key}) => {
      if (key.endsWith('/')) {
        changePickerField(from, (field) => setText(field, key));
        return;
      }
      from.closeOverlay();
      attachPaths(from, [key]);
    },
  });
}

type Files = ReturnType<App['device']['listFiles']>;

/** Undefined when there is no such directory, or it cannot be read. */
function filesOf({device}: App, directory: string): Files | undefined {
  try {
    return device.listFiles(directory === '' ? '.' : directory.replace(/(?<=.)\/$/, ''));
  } catch {
    return undefined;
  }
}

function fileRows(
  filesIn: (directory: string) => Files | undefined,
  account: App['state'],
  query: string,
): readonly PickerRow[] {
  const directory = query.slice(0, query.lastIndexOf('/') + 1);
  const files = filesIn(directory);
  if (files === undefined) {
    const why = 'There is no such directory, or it cannot be read.';
    return [{key: 'none', label: why, disabled: why}];
  }
  const completion = completionAt(account, {
    field: 'file',
    text: query,
    cursor: query.length,
    files,
    nowMs: 0,
  });
  return (completion?.options ?? []).map(({label, insert: name, ranges}) => ({
    key: directory + name,
    label,
    matched: ranges,
  }));
}

export function attachPaths(app: App, paths: readonly string[]): void {
  void attachAll(
    app,
    paths.map((path) => async () => {
      const {name, bytes} = await app.device.readFile(path);
      return {name, bytes: new Uint8Array(bytes)};
    }),
  );
}

/** Text that is better a file. */
export function attachText(app: App, text: string): void {
  const bytes = new TextEncoder().encode(text);
  void attachAll(app, [async () => ({name: 'pasted.txt', bytes})]);
}

async function attachAll(app: App, files: readonly (() => Promise<FileToSend>)[]): Promise<void> {
  const ending = app.screen.uploads ?? new AbortController();
  app.set({uploads: ending});
  try {
    for (const file of files) await attach(app, await file(), ending.signal);
  } catch (error) {
    if (ending.signal.aborted) app.toast('Upload cancelled');
    else app.toast(`Not attached: ${failureReason(error) ?? 'the session has ended'}`, 'error');
  } finally {
    if (app.screen.uploads === ending) app.set({uploads: undefined});
  }
}

/** A mark stands in the text until the link takes its place, wherever the text is by then. */
async function attach(app: App, {name, bytes}: FileToSend, signal: AbortSignal): Promise<void> {
  const shown = printableLine(name);
  const problem =
    bytes.length === 0 ? `${shown} is empty.` : uploadSizeProblem(app.session.context, bytes.length);
  if (problem !== undefined) throw new Error(problem);
  const mark = uploadPlaceholder(shown);
  changeMessageText(app, (field) => insert(field, mark));
  showProgress(app, shown, 0);
  let link = '';
  try {
    const {markdown} = await uploadFile(app.session.context, {
      file: {name, size: bytes.length, data: new Blob([bytes])},
      signal,
      onProgress: (sent, size) => showProgress(app, shown, Math.floor((sent / Math.max(1, size)) * 100)),
    });
    link = markdown;
  } finally {
    setComposer(app, {...app.screen.composer, upload: undefined});
    app.device.setProgress(undefined);
    replaceMark(app, mark, link);
  }
}

function showProgress(app: App, name: string, percent: number): void {
  const {composer} = app.screen;
  if (composer.upload?.percent === percent && composer.upload.name === name) return;
  setComposer(app, {...composer, upload: {name, percent}});
  app.device.setProgress(percent);
}

/** In the composer, or in the draft that the text has become meanwhile. */
function replaceMark(app: App, mark: string, link: string): void {
  const {composer} = app.screen;
  if (composer.field.text.includes(mark)) {
    changeMessageText(app, (field) => withoutMark(field, mark, link));
    return;
  }
  const draft = app.session.drafts.all().find(({content}) => content.includes(mark));
  if (draft === undefined) return;
  const content = draft.content.replace(mark, () => link);
  app.session.drafts.edit(draft.id, {target: draft.target, content});
}

/** The cursor stays where somebody writes. */
function withoutMark(field: TextField, mark: string, link: string): TextField {
  const at = field.text.indexOf(mark);
  const end = at + mark.length;
  const replaced = replaceRange(field, at, end, link);
  if (field.cursor === end) return replaced;
  const moved = field.cursor > at ? Math.max(at, field.cursor + link.length - mark.length) : field.cursor;
  return {...replaced, cursor: moved};
}

/** Ends what is being uploaded; false when nothing is. */
export function cancelUpload(app: App): boolean {
  const {uploads} = app.screen;
  if (uploads === undefined) return false;
  app.set({uploads: undefined});
  uploads.abort();
  composerSaver(app).scheduleSave();
  return true;
}
