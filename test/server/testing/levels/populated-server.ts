import {testServer} from '#test/support/server.ts';

/** Starts a server of a feature level with one of each object that a registration shows. */
export async function populatedServer(level: number) {
  const server = await testServer({level});
  const {people} = server;
  const [owner, meg] = [people.owner(), people.member()];
  const general = people.channel('general', [owner, meg]);
  server.context.db.run(
    `INSERT INTO linkifier (pattern, url_template, example_input, reverse_template, sort_order)
     VALUES ('#(?P<id>[0-9]+)', 'https://tickets.example/{id}', '#1', '#{id}', 1)`,
  );
  server.context.db.run(
    `INSERT INTO profile_field (name, type, sort_order, required, display_in_profile_summary, use_for_user_matching)
     VALUES ('Motto', 1, 1, 1, 1, 1)`,
  );
  const send = (content: string, topic = 'talk') =>
    server.as(owner).post('/messages', {type: 'stream', to: general, topic, content});
  return {server, owner, meg, general, send};
}
