import {onTestFinished} from 'vitest';
import {type AppFixture, type AppFixtureOptions, createApp} from './create-app.ts';

export type {AppFixture, AppFixtureOptions} from './create-app.ts';

/** Creates an app over a session without a terminal: tests send keys and check the screen's state. */
export function appFixture(options: AppFixtureOptions): AppFixture {
  const fixture = createApp(options);
  onTestFinished(() => fixture.app.end());
  return fixture;
}
