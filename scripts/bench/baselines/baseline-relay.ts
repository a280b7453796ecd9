import { createServer } from 'node:http';
import { Server } from 'socket.io';

/**
 * The baseline for chat: Socket.IO with the real server's options and no storage. A client names in its handshake the
 * rooms it joins and the room it sends to. The relay emits each message to that room and acknowledges it.
 */
type RelayedMessage = { content: string };
type ClientEvents = { message: (message: RelayedMessage, acknowledge?: () => void) => void };
type ServerEvents = { 'message:new': (message: RelayedMessage) => void };
type HandshakeAuth = { rooms?: string[]; room?: string };

const server = createServer();
const io = new Server<ClientEvents, ServerEvents>(server, {
  path: '/socket.io',
  serveClient: false,
  maxHttpBufferSize: 16_384,
  pingInterval: 10_000,
  pingTimeout: 8000,
  connectTimeout: 10_000,
});
io.of('/chat').on('connection', (socket) => {
  const { rooms, room } = socket.handshake.auth as HandshakeAuth;
  if (rooms) void socket.join(rooms);
  if (room === undefined) return;
  socket.on('message', (message, acknowledge) => {
    io.of('/chat').to(room).emit('message:new', message);
    acknowledge?.();
  });
});

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}\n`);
});
process.on('SIGTERM', () => process.exit(0));
