import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {parseJson} from '#server/seed/demo-world/world-file.ts';
import {assetPath} from '#std/assets.ts';
import {s} from '#wire/schema.ts';

/** What has to happen before the guide goes on. */
const deeds = ['reply', 'read', 'unread', 'reaction', 'message'] as const;
export type TutorialTask = (typeof deeds)[number];

/** One thing to try: what the guide says, and when it was done. The last has nothing to wait for. */
export interface TutorialStep {
  readonly say: string;
  readonly until: TutorialTask | undefined;
}

const schema = s.array(s.strictObject({say: s.string(), until: s.optional(s.picklist(deeds))}));

export function readTutorial(folder = assetPath('demo')): TutorialStep[] {
  const json = readFileSync(join(folder, 'guide.json'), 'utf8');
  return parseJson('guide.json', json, schema).map(({say, until}) => ({say, until}));
}
