import type {FileSource} from '#api/multipart.ts';
import {uploadProblem} from '#state/actions/messages.ts';
import {requestFromServer} from '#ui/actions/server-request.ts';
import type {App} from '#ui/core/app.ts';
import {openFilePicker} from '#ui/overlays/file-picker.ts';

export interface PictureOptions {
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
    hint: {Enter: 'opens a directory, uploads an image'},
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
