import type {App} from '#app/core/app.ts';
import {openPicker} from '#app/overlays/picker.ts';
import type {Message} from '#state/model/message.ts';
import {filesOf} from './message-links.ts';
import {openFile, saveFile} from './open-file.ts';

/** Why there is nothing to look at; undefined when there is. */
export function fileProblem(app: App, message: Message): string | undefined {
  return filesOf(app.state, message).length === 0 ? 'This message has no files.' : undefined;
}

/** The pictures and other files of a message: to be opened, or saved. */
export function openFilePicker(app: App, message: Message): void {
  const files = filesOf(app.state, message);
  openPicker(app, {
    id: 'files',
    title: files.length === 1 ? 'File of this message' : 'Files of this message',
    isMenu: true,
    hint: app.device.isRemote ? 'Enter or Tab saves it' : 'Enter opens it · Tab saves it',
    rows: () =>
      files.map(({name, kind}, at) => ({key: String(at), label: name, detail: kind, right: String(at + 1)})),
    accept: (from, {key}, how) => {
      const file = files[Number(key)];
      if (file === undefined) return;
      from.closeOverlay();
      if (how === 'tab') saveFile(from, file);
      else openFile(from, file);
    },
    onKey: (from, {name}) => {
      const file = /^[1-9]$/.test(name) ? files[Number(name) - 1] : undefined;
      if (file === undefined) return false;
      from.closeOverlay();
      openFile(from, file);
      return true;
    },
  });
}
