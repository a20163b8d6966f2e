#include "core/engine/seccompfilter.h"

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

namespace sandfish {
namespace {

#if defined(__x86_64__)
constexpr unsigned kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr unsigned kArchitecture = AUDIT_ARCH_AARCH64;
#elif defined(__riscv)
constexpr unsigned kArchitecture = AUDIT_ARCH_RISCV64;
#else
constexpr unsigned kArchitecture = 0;
#endif

constexpr unsigned kNamespaceFlags =
    CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;

constexpr std::array kDeniedCalls{SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_setns, SYS_unshare,
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_bpf, SYS_perf_event_open, SYS_keyctl, SYS_add_key,
    SYS_request_key, SYS_userfaultfd, SYS_open_by_handle_at, SYS_kexec_load, SYS_init_module, SYS_finit_module,
    SYS_delete_module, SYS_reboot, SYS_swapon, SYS_swapoff, SYS_acct, SYS_quotactl, SYS_syslog,
    // The numbers from 424 on are the same on every architecture.
    425 /* io_uring_setup */, 426 /* io_uring_enter */, 427 /* io_uring_register */, 428 /* open_tree */,
    429 /* move_mount */, 430 /* fsopen */, 431 /* fsconfig */, 432 /* fsmount */, 433 /* fspick */,
    442 /* mount_setattr */};

constexpr int kClone3 = 435;

sock_filter load(std::size_t offset)
{
    return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned>(offset));
}

sock_filter answer(unsigned action, unsigned number)
{
    return BPF_STMT(BPF_RET | BPF_K, action | (number & SECCOMP_RET_DATA));
}

// The low half of an argument; every architecture above is little-endian.
constexpr std::size_t argumentOffset(std::size_t index)
{
    return offsetof(seccomp_data, args) + 8 * index;
}

void appendArchitectureCheck(std::vector<sock_filter> &program)
{
    program.push_back(load(offsetof(seccomp_data, arch)));
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0));
    program.push_back(answer(SECCOMP_RET_ERRNO, ENOSYS));
    program.push_back(load(offsetof(seccomp_data, nr)));
#if defined(__x86_64__)
    // The x32 face of the same calls has numbers of its own.
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000u, 0, 1));
    program.push_back(answer(SECCOMP_RET_ERRNO, ENOSYS));
#endif
}

// Refuses call \a number when (argument & mask) == value.
void appendArgumentRule(
    std::vector<sock_filter> &program, unsigned number, std::size_t argument, unsigned operation, unsigned value)
{
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 4));
    program.push_back(load(argumentOffset(argument)));
    program.push_back(BPF_JUMP(BPF_JMP | operation | BPF_K, value, 0, 1));
    program.push_back(answer(SECCOMP_RET_ERRNO, EPERM));
    program.push_back(load(offsetof(seccomp_data, nr)));
}

void appendSocketRule(std::vector<sock_filter> &program)
{
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 0, 4));
    program.push_back(load(argumentOffset(0)));
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 1, 0));
    program.push_back(answer(SECCOMP_RET_ERRNO, EACCES));
    program.push_back(load(offsetof(seccomp_data, nr)));
}

} // namespace

std::vector<sock_filter> seccompProgram(InternetAccess internet)
{
    std::vector<sock_filter> program;
    appendArchitectureCheck(program);
    for (const auto number : kDeniedCalls) {
        program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(number), 0, 1));
        program.push_back(answer(SECCOMP_RET_ERRNO, EPERM));
    }
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kClone3, 0, 1));
    program.push_back(answer(SECCOMP_RET_ERRNO, ENOSYS));
    appendArgumentRule(program, SYS_clone, 0, BPF_JSET, kNamespaceFlags);
    appendArgumentRule(program, SYS_ioctl, 1, BPF_JEQ, TIOCSTI);
    if (internet == InternetAccess::Denied)
        appendSocketRule(program);
    program.push_back(answer(SECCOMP_RET_ALLOW, 0));
    return program;
}

Result<> applySeccomp(const std::vector<sock_filter> &program)
{
    if (kArchitecture == 0)
        return Error{Error::Kind::Unsupported, "There is no system call filter for this processor."};
    std::vector<sock_filter> copy = program;
    const sock_fprog filter{static_cast<unsigned short>(copy.size()), copy.data()};
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0)
        return Error{
            Error::Kind::Unsupported, "The system call filter was refused by the kernel.", std::strerror(errno)};
    return {};
}

} // namespace sandfish
