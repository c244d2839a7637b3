//! The allocator of a component that lives for one rollout: it only ever moves a pointer, and takes back nothing but the
//! newest block. A fifth of a short rollout's time went into free lists that nobody used, and as much into growing memory a
//! page at a time, which costs the host a change of page protections each; so it begins in the memory that the module has
//! from its start (`--initial-memory`, see the build) and grows in large steps.

use core::alloc::{GlobalAlloc, Layout};
use core::cell::Cell;
use core::ptr;

/// Bytes of a WebAssembly page.
const PAGE: usize = 64 << 10;

/// Pages that are added at least when the memory is full.
#[cfg(target_arch = "wasm32")]
const STEP: usize = 16;

/// The allocator's type.
pub struct OneRollout {
    /// Where the next block begins at the earliest; 0 before the first.
    next: Cell<usize>,
    /// The end of the memory.
    end: Cell<usize>,
}

/// The allocator.
#[allow(clippy::declare_interior_mutable_const)]
pub const ONE_ROLLOUT: OneRollout = OneRollout { next: Cell::new(0), end: Cell::new(0) };

#[allow(unsafe_code)]
// SAFETY: a component has one thread; the engine accepts no module with shared memory.
unsafe impl Sync for OneRollout {}

impl OneRollout {
    /// Room for `size` bytes at this alignment from `from` on, or none where the memory cannot grow.
    fn reserve(&self, from: usize, size: usize, align: usize) -> Option<usize> {
        let start = from.checked_add(align.checked_sub(1)?)? & !(align - 1);
        let stop = start.checked_add(size)?;
        if stop > self.end.get() {
            self.end.set(memory::grown_to(stop)?);
        }
        self.next.set(stop);
        Some(start)
    }

    fn next(&self) -> usize {
        if self.next.get() == 0 {
            self.next.set(memory::heap_base());
            self.end.set(memory::end());
        }
        self.next.get()
    }
}

#[allow(unsafe_code)]
// SAFETY: blocks never overlap: each begins at or after the end of all before it, except that the newest one may be given
// back or grown in place. Every block lies between the end of the module's data and the end of its memory, all of which is
// this allocator's: a module links no other, since it has no C library.
unsafe impl GlobalAlloc for OneRollout {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let from = self.next();
        self.reserve(from, layout.size(), layout.align()).map_or(ptr::null_mut(), ptr::with_exposed_provenance_mut)
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if block.addr() + layout.size() == self.next.get() {
            self.next.set(block.addr());
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if block.addr() + layout.size() == self.next.get() {
            return match self.reserve(block.addr(), size, 1) {
                Some(_) => block,
                None => ptr::null_mut(),
            };
        }
        if size <= layout.size() {
            return block;
        }
        // SAFETY: the caller vouches for layout and size, and the new block is another one.
        unsafe {
            let new = self.alloc(Layout::from_size_align_unchecked(size, layout.align()));
            if !new.is_null() {
                ptr::copy_nonoverlapping(block, new, layout.size());
            }
            new
        }
    }
}

#[cfg(target_arch = "wasm32")]
mod memory {
    use super::{PAGE, STEP};
    use core::arch::wasm32::{memory_grow, memory_size};

    /// The end of the module's own data and stack.
    #[allow(unsafe_code)]
    pub fn heap_base() -> usize {
        // SAFETY: the linker defines it; only its address is taken.
        unsafe extern "C" {
            static __heap_base: u8;
        }
        (&raw const __heap_base).expose_provenance()
    }

    /// The end of the memory.
    pub fn end() -> usize {
        memory_size(0).saturating_mul(PAGE)
    }

    /// The end of the memory once it holds this address.
    pub fn grown_to(address: usize) -> Option<usize> {
        let missing = address.checked_sub(end())?.div_ceil(PAGE);
        if memory_grow(0, missing.max(STEP)) == usize::MAX && memory_grow(0, missing) == usize::MAX {
            return None;
        }
        Some(end())
    }
}

/// Natively the allocator manages numbers only, so that its arithmetic can be tested.
#[cfg(not(target_arch = "wasm32"))]
mod memory {
    use super::PAGE;

    pub fn heap_base() -> usize {
        1000
    }

    pub fn end() -> usize {
        PAGE
    }

    pub fn grown_to(address: usize) -> Option<usize> {
        (address <= 100 * PAGE).then(|| address.div_ceil(PAGE) * PAGE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_aligned_and_follow_each_other() {
        let allocator = ONE_ROLLOUT;
        let mut last = memory::heap_base();
        for (size, align) in [(1, 1), (8, 8), (3, 2), (64, 64), (5, 1), (16, 16)] {
            let start = allocator.reserve(allocator.next(), size, align).unwrap();
            assert_eq!(start % align, 0);
            assert!(start >= last && start < last + align);
            last = start + size;
        }
    }

    #[test]
    fn memory_grows_when_it_is_full_and_a_block_beyond_its_limit_is_refused() {
        let allocator = ONE_ROLLOUT;
        let start = allocator.reserve(allocator.next(), 10 * PAGE, 8).unwrap();
        assert!(allocator.end.get() >= start + 10 * PAGE);
        assert_eq!(allocator.reserve(allocator.next(), 200 * PAGE, 8), None);
        assert_eq!(allocator.reserve(allocator.next(), usize::MAX, 8), None);
        // What was refused took nothing.
        assert_eq!(allocator.next(), start + 10 * PAGE);
    }

    #[allow(unsafe_code)]
    #[test]
    fn the_newest_block_is_given_back_and_grows_in_place() {
        let allocator = ONE_ROLLOUT;
        let layout = |size| Layout::from_size_align(size, 1).unwrap();
        // SAFETY: natively the blocks are numbers; nothing is read or written, since nothing is copied.
        unsafe {
            let first = allocator.alloc(layout(10));
            let second = allocator.alloc(layout(10));
            assert_eq!(allocator.realloc(second, layout(10), 50), second);
            assert_eq!(allocator.next(), second.addr() + 50);
            allocator.dealloc(first, layout(10));
            assert_eq!(allocator.next(), second.addr() + 50);
            allocator.dealloc(second, layout(50));
            assert_eq!(allocator.next(), second.addr());
            assert_eq!(allocator.realloc(first, layout(10), 4), first);
        }
    }
}
