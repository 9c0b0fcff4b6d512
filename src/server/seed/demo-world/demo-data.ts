import {createHash} from 'node:crypto';
import {realmId, safeFilename} from '#server/uploads/upload-path.ts';
import {typeByName} from '#std/media-type.ts';
import {assetNames, readAsset, readAssetBytes} from '#std/program-files.ts';
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

export function readDemoData(): DemoData {
  const scripts = assetNames('demo/conversations').filter((name) => name.endsWith('.chat'));
  return {
    world: parseWorldFile('world.json', readAsset('demo/world.json')),
    conversations: scripts.flatMap((name) => parseChatScript(name, readAsset(`demo/conversations/${name}`))),
    files: new Map(assetNames('demo/files').map((name) => [name, demoFile(name)])),
  };
}

function demoFile(name: string): DemoFile {
  const bytes = readAssetBytes(`demo/files/${name}`);
  const digest = createHash('sha256').update(name).update(bytes).digest('base64url').slice(0, 24);
  return {
    name,
    bytes,
    contentType: typeByName(name) ?? 'application/octet-stream',
    pathId: `${realmId}/00/${digest}/${safeFilename(name)}`,
  };
}
