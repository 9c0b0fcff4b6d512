import type {Message} from '#state/model/message.ts';
import type {App} from '#ui/core/app.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import {openPicker} from '#ui/overlays/picker.ts';
import {filesOf} from './message-links.ts';
import {openFile, saveFile} from './open-file.ts';

/** Returns why the message has no files to open; undefined when it has some. */
export function fileProblem(app: AppReader, message: Message): string | undefined {
  return filesOf(app.state, message).length === 0 ? 'This message has no files.' : undefined;
}

/** Opens a picker of the message's files, to open or save them. */
export function openFilePicker(app: App, message: Message): void {
  const files = filesOf(app.state, message);
  openPicker(app, {
    id: 'files',
    title: files.length === 1 ? 'File in this message' : 'Files in this message',
    isMenu: true,
    hint: app.device.isRemote ? 'Enter or Tab saves' : 'Enter opens · Tab saves',
    rows: () => files.map(({name, kind}, at) => ({key: String(at), label: name, detail: kind, right: String(at + 1)})),
    accept: (from, {key}, how) => {
      const file = files[Number(key)];
      if (file === undefined) return;
      from.closeOverlay();
      if (how === 'tab') saveFile(from, file);
      else openFile(from, file);
    },
  });
}
