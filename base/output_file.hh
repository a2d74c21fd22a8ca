// Makes the folders and files of results in places where other users may write, such as /tmp. A
// symbolic link that another user has put there could lead a write anywhere, so it is never
// followed (symlink(7); the kernel's fs.protected_symlinks covers only sticky folders).
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_descriptor.hh"

namespace tcplab::base {

/// Makes the folder, and its missing parents, with mode 0755. Returns its path without symbolic
/// links. Throws UsageError if no folder can be made there, or if the path has a symbolic link of a
/// user other than this one and root.
std::string make_output_folder(const std::string& path);

/// Makes the folder if it is missing; "" is no folder. Throws UsageError if no file can be made in
/// it.
void require_output_folder(const std::string& path);

/// Makes an empty file for writing, with mode 0644, in place of an older one. Opens a device
/// or a pipe as it is. Its folder must exist. Throws UsageError for a symbolic link like
/// make_output_folder(), else SystemError.
FileDescriptor make_output_file(const std::string& path);

/// Makes a file with this content. Throws like make_output_file(), and if the write fails.
void write_output_file(const std::string& path, std::string_view content);

/// Makes a file that only this user can read, in place of an older one, so nobody else has it open.
/// Follows no symbolic link at the end of the path. Throws SystemError.
FileDescriptor make_private_file(const std::string& path);

// A document is a file that the user names; "-" is standard output, and "" is no document. Unlike
// an output file, it may be a symbolic link of this user or of root, such as /dev/stdout.

/// Throws UsageError if the document cannot be written, or is a symbolic link of another user.
/// Leaves no file, and changes none.
void require_document(const std::string& path);

/// Throws like require_document() for each, and UsageError if two are one file, or if more than one
/// goes to standard output. `on_standard_output`: how many other documents go there.
void require_documents(const std::vector<std::string>& paths, int on_standard_output = 0);

/// Writes a document, instead of what the file had. Throws UsageError for a symbolic link of
/// another user, else SystemError.
void write_document(const std::string& path, std::string_view content);

/// Writes at the end of a document. Throws like write_document().
void append_to_document(const std::string& path, std::string_view content);

/// Copies the content of a file into a new one, with mode 0600. Throws SystemError with the reason
/// (std::filesystem::copy_file reports EIO on a full disk). Calls `meanwhile` after each MiB.
void copy_content(const std::string& from, const std::string& to,
                  const std::function<void()>& meanwhile = {});

}  // namespace tcplab::base
