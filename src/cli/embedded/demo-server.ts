import {findUser} from '#server/db/users.ts';
import {seedWorld} from '#server/seed/seed-world.ts';
import {startServer} from '#server/server.ts';

/** A server with the demo organization in memory, and an account on it. */
export interface DemoServer {
  readonly site: string;
  readonly email: string;
  readonly apiKey: string;
  close(): Promise<void>;
}

export async function startDemoServer(): Promise<DemoServer> {
  const server = await startServer({
    database: ':memory:',
    demo: true,
    rateLimited: false,
    prepare: (world) => seedWorld(world, {world: 'demo', size: 'small'}, () => {}),
    log: () => {},
  });
  const {db, secrets} = server.context;
  const [id = 0]: number[] = JSON.parse(db.value<string>(`SELECT value FROM meta WHERE key = 'accounts'`) ?? '[]');
  const user = findUser(db, id);
  if (user === undefined) throw new Error('The demo organization has no account.');
  return {
    site: server.url,
    email: user.delivery_email,
    apiKey: secrets.apiKey(user),
    close: () => server.close(),
  };
}
