//! The memory in which a message comes together.

use dgt_protocol::FrameBuffer;

/// Where a message is assembled that arrives in pieces: as large as messages are, not as the largest one, which a board
/// sends after an outage only.
#[derive(Clone, Debug, Default)]
pub(super) struct Assembly(Vec<u8>);

/// Most bytes that are kept for the next message.
const ASSEMBLY: usize = 512;

impl FrameBuffer for Assembly {
    fn bytes(&self) -> &[u8] {
        &self.0
    }

    fn write(&mut self, at: usize, piece: &[u8]) {
        self.0.truncate(at);
        if at == 0 {
            self.0.shrink_to(ASSEMBLY);
        }
        self.0.extend_from_slice(piece);
    }
}
