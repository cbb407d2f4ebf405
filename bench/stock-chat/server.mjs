// Reference for live chat: a standard Socket.IO server on Node. A posted message is committed to SQLite (WAL,
// synchronous=FULL, once per id), then sent to its room, then answered.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { DatabaseSync } from "node:sqlite";
import { Server } from "socket.io";

const [port, file] = process.argv.slice(2);

const db = new DatabaseSync(file);
db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS messages (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, chat TEXT NOT NULL, message TEXT NOT NULL,
    sender TEXT NOT NULL, at INTEGER NOT NULL
  );
  CREATE INDEX IF NOT EXISTS by_chat ON messages (chat, seq);`);
const insert = db.prepare(
  "INSERT INTO messages (id, chat, message, sender, at) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
);
const byId = db.prepare("SELECT * FROM messages WHERE id = ?");

const server = createServer(async (request, response) => {
  if (request.method !== "POST") return void response.writeHead(404).end();
  const { chatId, message, senderName, id = randomUUID() } = await json(request);
  if (insert.run(id, chatId, message, senderName, Date.now()).changes === 1)
    io.to(chatId).emit("new-message", byId.get(id));
  response.writeHead(201, { "Content-Type": "application/json" }).end(JSON.stringify(byId.get(id)));
});
const io = new Server(server);
io.on("connection", (socket) => socket.on("join-chat", (chatId, joined) => socket.join(chatId) ?? joined()));

for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => process.exit(0));
process.on("disconnect", () => process.exit(0));
server.listen(Number(port), "localhost", () => console.log(`Ready on http://localhost:${port}`));

async function json(request) {
  let text = "";
  for await (const chunk of request) text += chunk;
  return JSON.parse(text);
}
