import {lstatSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {dirname} from 'node:path';
import {renderToString} from 'ink';
import {ensurePrivateDirectory, isOurs} from '#config/private-files.ts';
import {startPicture} from '#std/program-files.ts';
import type {Capabilities} from '#terminal/capabilities.ts';
import type {App} from '#ui/core/app.ts';
import type {Frame} from '#ui/core/frame.ts';
import {newScreen} from '#ui/core/new-screen.ts';
import {AppContext} from '#ui/hooks/use-select.ts';
import {terminalSize} from '#ui/layout/tour-area.ts';
import {prepareScreen} from '#ui/prepare-screen.ts';
import {Screen} from '#ui/Screen.tsx';
import {initialView, type StartDestination} from './start-destination.ts';

/** Returns the text of the frame with which the next start begins. */
export function startFrameText(app: App, destination: StartDestination): string {
  const {isMouseOn, sidebarOrder} = app.screen;
  const view = initialView(app.state, destination);
  const account = {...app.state, connection: {phase: 'starting', savedAt: app.clock.now()} as const};
  const frame = {
    ...app.frame,
    account,
    screen: {...newScreen(terminalSize(app.screen), view), isMouseOn, isFirstFrame: true, sidebarOrder},
  };
  return screenText({...frame, screen: prepareScreen(frame, undefined)});
}

/** Returns the sequences that paint a snapshot on a cleared screen. */
function screenText(snapshot: Frame): string {
  const frames = {paintedFrame: snapshot, subscribe: () => () => {}};
  const text = renderToString(
    <AppContext value={{frames}}>
      <Screen />
    </AppContext>,
    {columns: snapshot.screen.size.columns},
  );
  return text
    .split('\n')
    .map((row, y) => `\u001b[${y + 1};1H${row}\u001b[m`)
    .join('');
}

/** Saves the picture that the next start shows while the program is loaded. Call it when the database is closed. */
export function saveStartPicture(text: string, capabilities: Capabilities, database: string): void {
  const picture = startPicture();
  // A line break would end the text.
  if (picture === undefined || text === '' || text.includes('\n')) return;
  try {
    const header = {key: picture.key, capabilities, database, changedAt: statSync(database).mtimeMs};
    const folder = dirname(picture.file);
    ensurePrivateDirectory(folder);
    // The launcher would not show a picture in another user's folder, and that user could read it.
    if (!isOurs(lstatSync(folder))) return;
    const older = lstatSync(picture.file, {throwIfNoEntry: false});
    if (older !== undefined && isOurs(older)) rmSync(picture.file);
    writeFileSync(picture.file, `${JSON.stringify(header)}\n${text}`, {mode: 0o600, flag: 'wx'});
  } catch {
    // The next start shows nothing before its first frame.
  }
}
