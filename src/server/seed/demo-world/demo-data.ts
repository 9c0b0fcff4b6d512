import {createHash} from 'node:crypto';
import {readdirSync, readFileSync} from 'node:fs';
import {extname, join} from 'node:path';
import {realmId, safeFilename} from '#server/uploads/upload-path.ts';
import {assetPath} from '#std/assets.ts';
import {parseChatScript, type ScriptConversation} from './chat-script.ts';
import {parseWorldFile, type WorldFile} from './world-file.ts';

/** A file of the demo: an attachment or a custom emoji. */
export interface DemoFile {
  readonly name: string;
  readonly bytes: Buffer;
  readonly contentType: string;
  /** Its upload path, the same every time, unlike those of user uploads. */
  readonly pathId: string;
}

/** The parsed files of `assets/demo`. */
export interface DemoData {
  readonly world: WorldFile;
  readonly conversations: readonly ScriptConversation[];
  readonly files: ReadonlyMap<string, DemoFile>;
}

const contentTypes: Readonly<Record<string, string>> = {
  '.csv': 'text/csv',
  '.log': 'text/plain',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.txt': 'text/plain',
  '.wav': 'audio/wav',
};

export function readDemoData(folder = assetPath('demo')): DemoData {
  const read = (...path: string[]) => readFileSync(join(folder, ...path), 'utf8');
  const scripts = readdirSync(join(folder, 'conversations')).filter((name) => name.endsWith('.chat'));
  return {
    world: parseWorldFile('world.json', read('world.json')),
    conversations: scripts.sort().flatMap((name) => parseChatScript(name, read('conversations', name))),
    files: new Map(readdirSync(join(folder, 'files')).map((name) => [name, demoFile(folder, name)])),
  };
}

function demoFile(folder: string, name: string): DemoFile {
  const bytes = readFileSync(join(folder, 'files', name));
  const digest = createHash('sha256').update(name).update(bytes).digest('base64url').slice(0, 24);
  return {
    name,
    bytes,
    contentType: contentTypes[extname(name)] ?? 'application/octet-stream',
    pathId: `${realmId}/00/${digest}/${safeFilename(name)}`,
  };
}
