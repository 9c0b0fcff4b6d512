import {expect, test} from 'vitest';
import {backend, triageFixture} from '#test/app/inbox/triage-fixture.ts';
import {textOf} from '#test/support/frame-fixture.ts';
import {statusLines} from '#test/support/part-lines.ts';
import {screenLayout} from '#ui/screen-layout.ts';

const policyOf = {type: 'user_topic', id: 1, stream_id: backend, topic_name: 'freeze', last_updated: 1} as const;

test('status bar: it offers to unmute a topic that was muted elsewhere, and to mute it again', () => {
  const {app, session, at} = triageFixture({size: '200x40'});
  const change = (policy: number) => {
    session.cache.apply({...policyOf, visibility_policy: policy});
    app.frames.paintNow();
    expect(at()).toBe('#backend › freeze');
  };
  const status = () => textOf(statusLines(app.frame, screenLayout(app.frame).main))[0];
  expect(status()).toMatch(/M mute\b/);
  change(1);
  expect(status()).toMatch(/M unmute\b/);
  change(0);
  expect(status()).toMatch(/M mute\b/);
});
