import type {FileSource} from '#api/multipart.ts';
import type {App} from '#app/core/app.ts';
import {changePickerField, openPicker} from '#app/overlays/picker.ts';
import {requestFromServer} from '#app/requests/server-request.ts';
import {uploadProblem} from '#state/actions/messages.ts';
import {completionAt} from '#ui/completion-menu/completion-at.ts';
import type {PickerRow} from '#ui/core/overlay.ts';
import {setText} from '#ui/text/text-field.ts';

interface FilePickerOptions {
  readonly id: string;
  readonly title: string;
  /** What Enter does with a file: `attaches it`. */
  readonly effect: string;
  readonly accept: (app: App, path: string) => void;
}

/** Opens a picker that walks through the directories of this machine. */
export function openFilePicker(app: App, {id, title, effect, accept}: FilePickerOptions): void {
  if (app.device.fileProblem !== undefined) {
    app.toast(app.device.fileProblem, 'warning');
    return;
  }
  // Each directory is read once while the picker is open.
  const filesByDirectory = new Map<string, Files | undefined>();
  const filesIn = (directory: string) => {
    if (!filesByDirectory.has(directory)) filesByDirectory.set(directory, filesOf(app, directory));
    return filesByDirectory.get(directory);
  };
  openPicker(app, {
    id,
    title,
    placeholder: 'path, such as ~/notes.txt',
    hint: {Tab: 'completes', Enter: `opens a directory, ${effect}`},
    rows: (frame, query) => fileRows(filesIn, frame.account, query),
    accept: (from, {key}, how) => {
      if (how === 'tab' || key.endsWith('/')) {
        changePickerField(from, (field) => setText(field, key));
        return;
      }
      from.closeOverlay();
      accept(from, key);
    },
  });
}

type Files = ReturnType<App['device']['listFiles']>;

/** Returns undefined when the directory does not exist or cannot be read. */
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
    const reason = 'No such directory, or it cannot be read';
    return [{key: 'none', label: reason, disabled: reason}];
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

interface PictureOptions {
  readonly title: string;
  /** The size of the largest file; that of a user's picture by default. */
  readonly maxMib?: number;
  readonly send: (app: App, file: FileSource) => Promise<unknown>;
}

/** Lets the user choose an image file of this machine and uploads it as a picture. */
export function choosePicture(app: App, {title, maxMib, send}: PictureOptions): void {
  openFilePicker(app, {
    id: 'picture',
    title,
    effect: 'uploads an image',
    accept: (from, path) =>
      requestFromServer(from, {
        progressText: 'Uploading the picture…',
        send: async () => send(from, await imageFile(from, path, maxMib ?? from.state.server.maxAvatarFileSizeMib)),
        doneText: () => 'Changed the picture',
        failureText: 'The picture was not changed',
      }),
  });
}

/** Reads an image file of this machine; rejects with the reason if it is too large. */
export async function imageFile({device}: App, path: string, maxMib: number | undefined): Promise<FileSource> {
  const {name, bytes} = await device.readFile(path);
  const file = {name, size: bytes.length, data: new Blob([new Uint8Array(bytes)])};
  const problem = uploadProblem(file, maxMib);
  if (problem !== undefined) throw new Error(problem);
  return file;
}
