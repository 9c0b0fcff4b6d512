import {expect, test} from 'vitest';
import {timelineFixture} from '#test/app/message-pane/timeline-fixture.ts';
import * as eg from '#test/support/state-builders.ts';
import {noon} from '#test/ui/message-pane/timeline-frame.ts';

test('copy: the text, with the same key again the Markdown, and of another message first the text', () => {
  const messages = [1, 2].map((id) => eg.message({id, content: `**tide** ${id}`, timestamp: noon}));
  const {press, deviceCalls} = timelineFixture({messages});
  press('C', 'C', 'C', 'k', 'C', 'C');
  const copied = ['tide 2', '**tide** 2', 'tide 2', 'tide 1', '**tide** 1'];
  expect(deviceCalls).toEqual(copied.map((text) => ['copy', text]));
});
