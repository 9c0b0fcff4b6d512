import {parseJson} from '#server/seed/demo-world/world-file.ts';
import {readAsset} from '#std/program-files.ts';
import {s} from '#wire/schema.ts';

/** The actions that the tutorial can wait for. */
const tutorialTasks = ['reply', 'read', 'unread', 'reaction', 'message'] as const;
export type TutorialTask = (typeof tutorialTasks)[number];

/** One step: the guide's message, and the action that completes the step. The last step has none. */
export interface TutorialStep {
  readonly say: string;
  readonly until: TutorialTask | undefined;
}

const schema = s.array(s.strictObject({say: s.string(), until: s.optional(s.picklist(tutorialTasks))}));

export function readTutorial(): TutorialStep[] {
  return parseJson('guide.json', readAsset('demo/guide.json'), schema).map(({say, until}) => ({say, until}));
}
