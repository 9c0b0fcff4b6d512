import {onTestFinished} from 'vitest';
import {type RunningServer, type ServerOptions, startServer} from '#server/server.ts';
import {currentLevel} from '#wire/levels.ts';
import {ApiClient} from './api-client.ts';
import {People, type Person} from './people.ts';

/** The lowest cost of scrypt: tests do not need passwords that are hard to guess. */
export const testPasswordCost = 2;

export interface TestServer extends RunningServer {
  readonly people: People;
  /** Returns a client that authenticates as this person. */
  as(person: Person): ApiClient;
  anonymous(): ApiClient;
}

/** Starts a real server on a free port with an in-memory database; it is closed when the test ends. */
export async function testServer(options: ServerOptions = {}): Promise<TestServer> {
  const running = await startServer({
    passwordCost: testPasswordCost,
    log: (line, error) => console.error(line, error),
    ...options,
  });
  onTestFinished(() => running.close());
  const people = new People(running.context);
  const isChecked = running.context.level === currentLevel;
  return {
    ...running,
    people,
    as: (person) => new ApiClient(running.url, person, {isChecked}),
    anonymous: () => new ApiClient(running.url, undefined, {isChecked}),
  };
}
