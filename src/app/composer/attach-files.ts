import type {App} from '#app/core/app.ts';
import {openFilePicker} from '#app/files/file-picker.ts';
import {failureReason} from '#app/requests/server-request.ts';
import {uploadFile, uploadProblem} from '#state/actions/messages.ts';
import {composed} from '#std/composed-text.ts';
import {printableLine} from '#std/printable.ts';
import {insert, replaceRange, type TextField} from '#ui/text/text-field.ts';
import {changeMessageText, setComposer} from './change-composer.ts';

interface FileToSend {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Opens a picker that walks through the directories of this machine, and attaches the chosen file. */
export function openFilePathPicker(app: App): void {
  openFilePicker(app, {
    id: 'attach',
    title: 'Attach file',
    effect: 'attaches a file',
    accept: (from, path) => attachPaths(from, [path]),
  });
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

/** Attaches a long pasted text as a file. */
export function attachText(app: App, text: string): void {
  const bytes = new TextEncoder().encode(text);
  void attachAll(app, [async () => ({name: 'pasted.txt', bytes})]);
}

/** Where the server does not say its limit. */
const usualLimitMib = 25;

export function attachClipboardImage(app: App): void {
  const limitMib = app.state.server.maxFileUploadSizeMib ?? usualLimitMib;
  const bytes = () => app.device.clipboardImage(limitMib * 1024 * 1024);
  void attachAll(app, [async () => ({name: 'clipboard.png', bytes: await bytes()})]);
}

async function attachAll(app: App, files: readonly (() => Promise<FileToSend>)[]): Promise<void> {
  const controller = app.screen.uploads ?? new AbortController();
  app.set({uploads: controller});
  try {
    for (const file of files) await attach(app, await file(), controller.signal);
  } catch (error) {
    if (controller.signal.aborted) app.toast('Upload cancelled');
    else app.toast(`Not attached: ${failureReason(error) ?? 'the session has ended'}`, 'error');
  } finally {
    if (app.screen.uploads === controller) app.set({uploads: undefined});
  }
}

/**
 * Uploads a file. A placeholder stays in the text until the link replaces it, even if the text has become a draft by
 * then.
 */
async function attach(app: App, {name, bytes}: FileToSend, signal: AbortSignal): Promise<void> {
  const displayName = printableLine(name);
  const problem = uploadProblem({name: displayName, size: bytes.length}, app.state.server.maxFileUploadSizeMib);
  if (problem !== undefined) throw new Error(problem);
  const placeholder = `[Uploading ${displayName.replaceAll(/[[\]]/g, '')}…]()`;
  // Text is often typed on while the file uploads: the link must not join the words around it.
  changeMessageText(app, (field) => insert(field, `${isAfterWord(field) ? ' ' : ''}${placeholder} `));
  showProgress(app, displayName, 0);
  let link = '';
  try {
    const {markdown} = await uploadFile(app.session.context, {
      file: {name, size: bytes.length, data: new Blob([bytes])},
      signal,
      onProgress: (sent, size) => showProgress(app, displayName, Math.floor((sent / Math.max(1, size)) * 100)),
    });
    link = markdown;
  } catch (error) {
    const reason = signal.aborted ? undefined : failureReason(error);
    throw reason === undefined ? error : new Error(composed`${displayName}: ${reason}`);
  } finally {
    setComposer(app, {upload: undefined});
    app.device.setProgress(undefined);
    replacePlaceholder(app, placeholder, link);
  }
}

function isAfterWord({text, cursor}: TextField): boolean {
  return cursor > 0 && !/\s/u.test(text[cursor - 1] ?? '');
}

function showProgress(app: App, name: string, percent: number): void {
  const {composer} = app.screen;
  if (composer.upload?.percent === percent && composer.upload.name === name) return;
  setComposer(app, {upload: {name, percent}});
  app.device.setProgress(percent);
}

/** Replaces the placeholder in the composer, or in the draft that the text has become meanwhile. */
function replacePlaceholder(app: App, placeholder: string, link: string): void {
  const {composer} = app.screen;
  if (composer.field.text.includes(placeholder)) {
    changeMessageText(app, (field) => withLink(field, placeholder, link));
    return;
  }
  const draft = app.session.drafts.all().find(({content}) => content.includes(placeholder));
  if (draft === undefined) return;
  const content = draft.content.replace(placeholder, () => link);
  app.session.drafts.edit(draft.id, {target: draft.target, content});
}

/** Replaces the placeholder and keeps the cursor at the text that the user is writing. */
function withLink(field: TextField, placeholder: string, link: string): TextField {
  const at = field.text.indexOf(placeholder);
  // Nothing is left of a file that was not uploaded, not even its space.
  const end = at + placeholder.length + (link === '' && field.text[at + placeholder.length] === ' ' ? 1 : 0);
  const replaced = replaceRange(field, at, end, link);
  if (field.cursor === end) return replaced;
  const moved = field.cursor > at ? Math.max(at, field.cursor + link.length - (end - at)) : field.cursor;
  return {...replaced, cursor: moved};
}

/** Aborts the running uploads. Returns false when there are none. */
export function cancelUpload(app: App): boolean {
  const {uploads} = app.screen;
  if (uploads === undefined) return false;
  app.set({uploads: undefined});
  uploads.abort();
  app.composerPersistence.scheduleSave();
  return true;
}

/** Returns the file name of the first placeholder in the text. */
export function placeholderFileName(text: string): string | undefined {
  return /\[Uploading ([^[\]\n]*)…\]\(\)/.exec(text)?.[1];
}
